import { expect } from 'vitest';
import {
  type Atm,
  commandFor,
  decodeAtm,
  encodeAtm,
  encodeCommand,
  meaningOf,
  nowIpForm,
} from '#appliance/alarm/protocol/nowip/index.ts';
import {
  alarmEventOf,
  decodeRequest,
  encodeRequest,
  type ScaipRequestForm,
  scaipForm,
} from '#appliance/alarm/protocol/scaip/index.ts';
import { bs8521Alarm, codedFrom, receivedForm } from '#shared/alarm-event/index.ts';
import { eventOf } from './tone-proof.ts';
import { type DirectionProofs, value } from './vector-list.ts';

/* Protocols of SIP messages: a body read, and the same body written. Whole exchanges: scaip-vectors.test.ts, nowip.test.ts. */

interface Scaip {
  readonly request?: string;
  readonly requests?: readonly string[];
  readonly alarmEvent: object | null;
  readonly response?: Readonly<Record<string, string>>;
}

interface NowIp {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly meaning: string;
  readonly alarmEvent?: object;
}

const HEAD = { version: '1', time: '2026-09-25T14:12:04Z', mac: '00:11:22:33:44:55' } as const;
const bodiesOf = ({ request, requests = [request ?? ''] }: Scaip): readonly string[] => requests;
/** Answers to a request that cannot be read: what it says is wrong, or a mandatory part is missing. */
const REFUSED = ['3', '7'];

const said = (xml: string): Atm => value(decodeAtm(xml));

const KINDS: Readonly<Record<string, string>> = {
  'nowip-01': 'alarm',
  'nowip-02': 'heartbeat',
  'nowip-08': 'acknowledge',
};

/** Type and data as they are made. */
function written({ id, data, meaning }: NowIp): { readonly type: string; readonly data: string } {
  if (id === 'nowip-01') {
    const found = value(meaningOf(said(encodeAtm({ ...HEAD, type: '1', data }))));
    if (found.kind !== 'alarm') throw new Error(found.kind);
    return value(nowIpForm(bs8521Alarm(found.fields), { source: sourceOf(found.fields) }));
  }
  if (id === 'nowip-02') {
    const none = { native: null, send: null, receive: null };
    const event = { controllerId: '12345678', deviceId: '0000', audio: 'none', priority: 0 } as const;
    return value(nowIpForm({ ...event, deviceType: codedFrom('deviceType', 'heartbeat'), statusCode: none }));
  }
  if (meaning.startsWith('select')) return encodeCommand({ kind: 'selectUnit', unitId: meaning.slice(-4) });
  if (meaning.startsWith('next')) return encodeCommand({ kind: 'nextOutstanding' });
  const commands = {
    'open door 1': 'releaseDoorLock1',
    duplex: 'switchToDuplex',
    'clear down': 'clearDown',
  } as const;
  const command = commands[meaning as keyof typeof commands];
  // An acknowledgement carries nothing else: its data is the full stop.
  if (command === undefined)
    return { type: 'A', data: said(encodeAtm({ ...HEAD, type: 'A', data: '' })).data || '.' };
  const made = value(commandFor(command));
  if (made === undefined) throw new Error(`${command} says nothing`);
  return encodeCommand(made);
}

const sourceOf = (fields: object) =>
  ({
    protocol: 'nowip',
    raw: '',
    fields: { ...fields },
    check: { policy: 'none', result: 'notChecked' },
    warnings: [],
  }) as const;

export const MESSAGE_ROUTES: Readonly<Record<string, DirectionProofs>> = {
  scaip: {
    decoded: (vector: Scaip) => {
      for (const body of bodiesOf(vector)) {
        const read = decodeRequest(body);
        const { snu } = vector.response ?? {};
        if (snu !== undefined && REFUSED.includes(snu)) {
          expect(read.ok || String(read.error.snu)).toBe(snu);
          continue;
        }
        const request = value(read);
        if (vector.alarmEvent === null) expect(request.messageType).toBe('PI');
        else expect(receivedForm(alarmEventOf(request))).toMatchObject(vector.alarmEvent);
      }
    },
    encoded: (vector: Scaip) => {
      for (const body of bodiesOf(vector)) {
        const { fields } = value(decodeRequest(body));
        const again = value(decodeRequest(encodeRequest(fields as unknown as ScaipRequestForm)));
        expect(again.fields).toEqual(fields);
      }
    },
    except: {
      'scaip-08': { lacks: 'encoded', why: 'no encoder leaves out a mandatory field' },
      'scaip-16': { lacks: 'encoded', why: 'no encoder writes a device type that is no number' },
    },
  },
  scaipSend: {
    decoded: ({ alarmEvent, request }: { alarmEvent: Record<string, unknown>; request: { ref: string } }) => {
      const event = eventOf(alarmEvent);
      const form = value(scaipForm(event, { ref: request.ref }));
      const back = alarmEventOf(value(decodeRequest(encodeRequest(form))));
      expect([back.deviceType.send, back.statusCode.send, back.location?.send]).toEqual([
        event.deviceType.send,
        event.statusCode.send,
        event.location?.send,
      ]);
      // Which way speech goes is no word of SCAIP: it is switched in the call.
      expect([back.controllerId, back.priority, back.audio === 'none']).toEqual([
        event.controllerId,
        event.priority,
        event.audio === 'none',
      ]);
    },
    encoded: ({
      alarmEvent,
      request,
    }: {
      alarmEvent: Record<string, unknown>;
      request: ScaipRequestForm;
    }) => {
      const form = value(scaipForm(eventOf(alarmEvent), { ref: request.ref }));
      const { fields } = value(decodeRequest(encodeRequest(form)));
      const { mty, ...wanted } = request;
      expect(form.mty ?? 'ME').toBe(mty ?? 'ME');
      for (const [tag, text] of Object.entries(wanted)) {
        const is = [fields[tag]].flat();
        const isCode = typeof text === 'string' && /^\d+$/.test(text) && tag !== 'cid' && tag !== 'did';
        if (isCode) expect(is.map(Number)).toEqual([Number(text)]);
        else expect(is).toEqual([text].flat());
      }
    },
  },
  nowip: {
    decoded: ({ id, type, data, alarmEvent }: NowIp) => {
      const found = value(meaningOf(said(encodeAtm({ ...HEAD, type, data }))));
      expect(found.kind).toBe(KINDS[id] ?? 'command');
      if (found.kind === 'alarm') expect(receivedForm(bs8521Alarm(found.fields))).toEqual(alarmEvent);
      if (found.kind === 'command') expect(encodeCommand(found.command)).toEqual({ type, data });
    },
    encoded: (vector: NowIp) => {
      expect(written(vector)).toEqual({ type: vector.type, data: vector.data });
    },
  },
  nowipBody: {
    decoded: ({ xml }: { readonly xml: string }) => {
      expect(said(xml)).toMatchObject({ type: '1', data: '110012345678004201907900', ...HEAD });
    },
    encoded: ({ xml, answer }: { readonly xml: string; readonly answer: string }) => {
      const { raw: _, ...form } = said(xml);
      expect(encodeAtm(form)).toBe(xml);
      expect(encodeAtm({ ...form, type: 'A', data: '.', time: '…' })).toBe(answer);
    },
  },
};
