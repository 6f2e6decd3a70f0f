import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SIA_MAPPINGS, siaCode } from '#appliance/alarm/protocol/dc09/index.ts';
import {
  alarmEventOf,
  decodeRequest,
  encodeRequest,
  SCAIP_PROFILE,
  type ScaipSendEffect,
  scaipForm,
  scaipSending,
  stepScaipSending,
} from '#appliance/alarm/protocol/scaip/index.ts';
import {
  type AlarmEvent,
  codedFrom,
  contactIdTable,
  eventTable,
  receivedForm,
  SIA_EVENTS,
} from '#shared/alarm-event/index.ts';

interface Said {
  readonly deviceType: string;
  readonly statusCode?: string | null;
  readonly controllerId?: string;
  readonly deviceId?: string;
  readonly location?: string;
  readonly audio?: AlarmEvent['audio'];
  readonly priority?: number;
  readonly callerId?: string;
}
interface Answer {
  readonly snu: number;
  readonly mre?: number;
  readonly cre?: string;
  readonly tnu?: string;
}
interface Vectors {
  readonly scaipSend: readonly {
    readonly id: string;
    readonly name: string;
    readonly alarmEvent: Said;
    readonly request: Readonly<Record<string, string | readonly string[]>> & { readonly ref: string };
    readonly answers: readonly Answer[];
    readonly then: readonly string[];
  }[];
  readonly siaMapping: readonly {
    readonly id: string;
    readonly profile: string;
    readonly deviceType: string;
    readonly statusCode: string | null;
    readonly native?: Readonly<Record<string, string>>;
    readonly sia: string;
    readonly contactId: string;
  }[];
}

const file = join(import.meta.dirname, '../../../vectors/alarm/sending.json');
const { scaipSend, siaMapping } = JSON.parse(readFileSync(file, 'utf8')) as Vectors;

const eventOf = ({ deviceType, statusCode, location, ...said }: Said): AlarmEvent => ({
  controllerId: said.controllerId ?? '12345678',
  ...(said.deviceId !== undefined && { deviceId: said.deviceId }),
  deviceType: codedFrom('deviceType', deviceType),
  statusCode:
    statusCode == null ? { native: null, send: null, receive: null } : codedFrom('statusCode', statusCode),
  ...(location !== undefined && { location: codedFrom('location', location) }),
  audio: said.audio ?? 'none',
  priority: said.priority ?? 0,
  ...(said.callerId !== undefined && { callerId: said.callerId }),
});

describe('SCAIP vectors, sent', () => {
  it('are all there', () => expect([scaipSend.length, siaMapping.length]).toEqual([5, 16]));

  it.each(scaipSend)('$id $name', ({ alarmEvent, request, answers, then }) => {
    const event = eventOf(alarmEvent);
    const form = scaipForm(event, { ref: request.ref });
    if (!form.ok) throw new Error(form.error.reason);
    const xml = encodeRequest(form.value);
    for (const [name, value] of Object.entries(request)) {
      // Defaults may be left out; codes are compared as integers.
      const read = [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text]) => text);
      if (name === 'mty' && value === 'ME') expect(['ME', undefined]).toContain(read[0]);
      else if (Array.isArray(value)) expect(read).toEqual(value);
      else if (/^\d+$/.test(String(value)) && name !== 'cid' && name !== 'did')
        expect(Number(read[0])).toBe(Number(value));
      else expect(read).toEqual([value]);
    }
    const setting = { sender: SCAIP_PROFILE.sender, defaultVoiceDestination: 'defaultEmergencyDestination' };
    let step = stepScaipSending(scaipSending(form.value, setting), { type: 'start', at: 0 });
    const seen: ScaipSendEffect[] = [...step.effects];
    for (const { snu, mre = 0, cre, tnu } of answers) {
      if (step.state.phase === 'holding') {
        step = stepScaipSending(step.state, { type: 'timer', at: 1 });
        seen.push(...step.effects);
      }
      const response = {
        ref: request.ref,
        snu,
        mre,
        ...(cre !== undefined && { cre: Number(cre) }),
        ...(tnu !== undefined && { tnu: [tnu] }),
      };
      step = stepScaipSending(step.state, { type: 'answer', at: 1, response } as never);
      seen.push(...step.effects);
    }
    const kinds = seen.map(({ type }) => type);
    const sent = seen.flatMap((one) => (one.type === 'send' ? [one.xml] : []));
    expect(new Set(sent)).toEqual(new Set([xml]));
    expect(sent).toHaveLength(Math.max(1, answers.length));
    expect(kinds.filter((kind) => kind === 'acknowledged')).toHaveLength(
      then.some((text) => text.startsWith('alarmSent')) ? 1 : 0,
    );
    const call = then.map((text) => /voice call to (\S+)/.exec(text)?.[1]).find((to) => to !== undefined);
    expect(seen.find(({ type }) => type === 'call')).toEqual(
      call === undefined ? undefined : { type: 'call', destination: call, direction: 'duplex' },
    );
    const failure = then.find((text) => text.startsWith('alarmSendFailure'));
    if (failure !== undefined)
      expect(seen.find(({ type }) => type === 'failed')).toMatchObject({
        reason: expect.stringContaining('snu 7'),
      });
  });

  it.each(scaipSend)('$id $name, read back', ({ alarmEvent, request }) => {
    const form = scaipForm(eventOf(alarmEvent), { ref: request.ref });
    const read = form.ok ? decodeRequest(encodeRequest(form.value)) : undefined;
    if (read?.ok !== true) throw new Error('no request');
    const { deviceType, statusCode, location } = eventOf(alarmEvent);
    const back = alarmEventOf(read.value);
    expect([back.deviceType.send, back.statusCode.send, back.location?.send]).toEqual([
      deviceType.send,
      statusCode.send,
      location?.send,
    ]);
  });
});

describe('vectors of the SIA mapping', () => {
  it.each(siaMapping)('$id $deviceType $statusCode is $sia and $contactId', (vector) => {
    const { profile, deviceType, statusCode, native, sia, contactId } = vector;
    const source = native && {
      protocol: profile,
      raw: '',
      fields: native,
      check: { policy: 'none', result: 'ok' },
      warnings: [],
    };
    const event = eventOf({ deviceType, statusCode });
    const coded =
      native?.stc === undefined
        ? event
        : { ...event, statusCode: { ...event.statusCode, native: native.stc } };
    expect(siaCode(coded, SIA_MAPPINGS[profile], source)).toMatchObject({ sia, cid: contactId });
  });

  it.each(siaMapping)(
    '$id $sia and $contactId are read back as codes that are known',
    ({ sia, contactId }) => {
      const back = eventTable(SIA_EVENTS).coded(sia);
      expect(SIA_EVENTS.some(({ code }) => code === sia)).toBe(true);
      expect(receivedForm({ ...eventOf({ deviceType: 'unknown' }), ...back }).deviceType).not.toBe('');
      expect(contactIdTable.rows.some(({ code }) => code === contactId.slice(1))).toBe(true);
    },
  );
});
