import { expect } from 'vitest';
import {
  type Dc09Form,
  decodeMessage,
  decodeTimestamp,
  encodeMessage,
  nakFrame,
  openContent,
  SIA_MAPPINGS,
  siaCode,
} from '#appliance/alarm/protocol/dc09/index.ts';
import { encodeFrame, readDatagram } from '#appliance/alarm/protocol/framed-ip/index.ts';
import { EVENT_DIGITS } from '#appliance/media/dtmf/index.ts';
import {
  EventReceiver,
  EventSender,
  type ReceivedEvent,
  readTelephoneEvent,
  writeTelephoneEvent,
} from '#appliance/media/rtp/index.ts';
import { contactIdTable, eventTable, SIA_EVENTS } from '#shared/alarm-event/index.ts';
import { sealing, TestReceiver, written } from '../protocol/dc09/panel.ts';
import { eventOf } from './tone-proof.ts';
import { type DirectionProofs, value } from './vector-list.ts';

/* DC-09 frames, the mapping to SIA and Contact ID, telephone-events. Whole exchanges: dc09/vectors.test.ts. */

interface Plain {
  readonly frame?: string;
  readonly bytesHex?: string;
  readonly answer: string | null;
  readonly event?: object;
  readonly warnings?: readonly string[];
}

interface Sealed {
  readonly frame: string;
  readonly key: string;
  readonly plain: string;
  readonly now: string;
  readonly answer: string;
}

interface Observed {
  readonly frame: string;
  readonly key?: string;
  readonly plain?: string;
  readonly lengthOk: boolean;
}

interface Mapped {
  readonly profile: string;
  readonly deviceType: string;
  readonly statusCode: string | null;
  readonly native?: Readonly<Record<string, string>>;
  readonly sia: string;
  readonly contactId: string;
}

interface Event {
  readonly digit: string;
  readonly durationMs: number;
  readonly payloads: readonly string[];
}

/** Keys of the vectors, in hex. */
const KEYS: Readonly<Record<string, string>> = {
  k128: '00112233445566778899AABBCCDDEEFF',
  k192: '000102030405060708090A0B0C0D0E0F1011121314151617',
  k256: '000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',
  kA16: '41414141414141414141414141414141',
};
const keyOf = (name: string | undefined) => Buffer.from(KEYS[name ?? ''] ?? '', 'hex');

const wire = (frame: string) => Buffer.from(`\n${frame}\r`, 'latin1');
const bytesOf = ({ frame = '', bytesHex }: Pick<Plain, 'frame' | 'bytesHex'>) =>
  bytesHex === undefined ? wire(frame) : Buffer.from(bytesHex, 'hex');

function bodyIn(bytes: Uint8Array): Uint8Array {
  const [found] = readDatagram(bytes);
  if (found?.kind !== 'frame') throw new Error('no frame');
  return found.frame.body;
}

/** The frame as we write it from what was read of it. */
function writtenAgain(
  bytes: Uint8Array,
  seal?: { readonly key: Uint8Array; readonly plain: string },
): string {
  const { head, body } = value(decodeMessage(bodyIn(bytes)));
  if (head.token === 'NAK') return written(nakFrame(decodeTimestamp(body.slice(body.indexOf(']') + 1)) ?? 0));
  const sealed = seal && sealing.aes.encrypt(seal.key, new Uint8Array(16), Buffer.from(seal.plain, 'latin1'));
  const behind = sealed === undefined ? body : Buffer.from(sealed).toString('hex').toUpperCase();
  const { receiver, account } = head;
  const form: Dc09Form = {
    token: head.token,
    encrypted: head.encrypted,
    sequence: head.sequence,
    ...(receiver !== null && { receiver }),
    line: head.line ?? '0',
    ...(account !== null && { account }),
  };
  return written(encodeFrame(encodeMessage(form, behind)));
}

/** CRC and length as they are right: of the vectors that have them otherwise. */
const mended = (bytes: Uint8Array): string => written(encodeFrame(bodyIn(bytes)));

export const FRAME_ROUTES: Readonly<Record<string, DirectionProofs>> = {
  dc09: {
    decoded: (vector: Plain) => {
      const receiver = new TestReceiver();
      expect(receiver.send(bytesOf(vector))).toEqual(vector.answer === null ? [] : [vector.answer]);
      if (vector.event !== undefined)
        expect(receiver.of('event')[0]?.source.fields).toMatchObject(vector.event);
    },
    encoded: (vector: Plain) => {
      const again = writtenAgain(bytesOf(vector));
      expect(again).toBe(mended(bytesOf(vector)));
      const { frame, warnings = [] } = vector;
      if (frame !== undefined && !warnings.includes('length')) expect(again).toBe(frame);
    },
    except: { 'dc09-09': { lacks: 'encoded', why: 'no encoder writes a wrong CRC' } },
  },
  dc09Encrypted: {
    decoded: ({ frame, key, now, answer }: Sealed) => {
      const receiver = new TestReceiver();
      receiver.wallMs = Date.parse(now);
      receiver.setting = { ...receiver.setting, key: keyOf(key) };
      const [said = ''] = receiver.send(wire(frame));
      if (answer !== '*ACK') expect(said).toBe(answer);
      else expect(said).toContain('"*ACK"');
    },
    encoded: ({ frame, key, plain }: Sealed) => {
      expect(writtenAgain(wire(frame), { key: keyOf(key), plain })).toBe(frame);
    },
  },
  dc09Observed: {
    decoded: ({ frame, key }: Observed) => {
      const { head, body } = value(decodeMessage(bodyIn(wire(frame))));
      expect(head.encrypted).toBe(key !== undefined);
      if (key === undefined) return;
      const content = value(openContent(body, { key: keyOf(key), withData: false }, sealing.aes));
      expect(content.timeMs).toBe(Date.parse('2020-07-05T18:24:52Z'));
    },
    encoded: ({ frame, key, plain, lengthOk }: Observed) => {
      const seal = plain === undefined ? undefined : { key: keyOf(key), plain };
      const again = writtenAgain(wire(frame), seal);
      expect(again).toBe(mended(wire(frame)));
      // Without the length it is the frame that was seen.
      expect(again.slice(lengthOk ? 4 : 8)).toBe(frame.slice(lengthOk ? 4 : 8));
    },
  },
  siaMapping: {
    decoded: ({ sia, contactId }: Mapped) => {
      expect(eventTable(SIA_EVENTS).lookup(sia)).toBeDefined();
      expect(contactIdTable.rows.some(({ code }) => code === contactId.slice(1))).toBe(true);
    },
    encoded: ({ profile, deviceType, statusCode, native, sia, contactId }: Mapped) => {
      const check = { policy: 'none', result: 'ok' } as const;
      const source = native && { protocol: profile, raw: '', fields: native, check, warnings: [] };
      const event = eventOf({ deviceType, statusCode });
      const status =
        native?.stc === undefined ? event.statusCode : { ...event.statusCode, native: native.stc };
      const found = siaCode({ ...event, statusCode: status }, SIA_MAPPINGS[profile], source);
      expect(found).toMatchObject({ sia, cid: contactId });
    },
  },
  rfc4733: {
    decoded: ({ digit, durationMs, payloads }: Event) => {
      const received: ReceivedEvent[] = [];
      const receiver = new EventReceiver((event) => received.push(event));
      payloads.forEach((payload, tick) => {
        const event = readTelephoneEvent(Buffer.from(payload, 'hex'), 0, 4);
        if (event !== null) receiver.push(7, 1_000, event, tick * 20);
      });
      const ends = received.filter(({ kind }) => kind === 'end');
      expect(ends).toMatchObject([{ code: EVENT_DIGITS.indexOf(digit), durationMs }]);
    },
    encoded: ({ digit, durationMs, payloads }: Event) => {
      const sent: string[] = [];
      const sender = new EventSender((event) => {
        const payload = Buffer.alloc(4);
        writeTelephoneEvent(event, payload, 0);
        sent.push(payload.toString('hex').toUpperCase());
      });
      sender.queue(EVENT_DIGITS.indexOf(digit), durationMs, 80);
      for (let tick = 0; tick < 40; tick++) sender.tick(1_000 + tick * 160);
      expect(sent).toEqual(payloads);
    },
  },
};
