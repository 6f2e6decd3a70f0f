import { expect } from 'vitest';
import {
  BS8521_PROFILE,
  type Bs8521Command,
  bs8521Form,
  bs8521Protocol,
  bs8521Sending,
  decodeLine as decodeBs8521Line,
  decodeReply,
  encodeLine as encodeBs8521Line,
  encodeCommand,
  readTones,
  stepBs8521Sending,
} from '#appliance/alarm/protocol/bs8521/index.ts';
import {
  contactIdProtocol,
  decodeMessage,
  encodeMessage,
} from '#appliance/alarm/protocol/contact-id/index.ts';
import {
  cpcProtocol,
  decodePacket,
  encodePacket,
  p100Protocol,
} from '#appliance/alarm/protocol/lift/index.ts';
import {
  checkFits,
  type Tone,
  type ToneFrame,
  type ToneProtocol,
} from '#appliance/alarm/protocol/tone/index.ts';
import {
  decodeGroupAlarm,
  encodeGroupAlarm,
  type GroupAlarm,
  ttForm,
  ttProtocol,
} from '#appliance/alarm/protocol/tt/index.ts';
import {
  type AlarmEvent,
  bs8521Fields,
  codedFrom,
  decodeBs8521,
  encodeBs8521,
  receivedForm,
  type SourceAlarmEvent,
} from '#shared/alarm-event/index.ts';
import { type DirectionProofs, value } from './vector-list.ts';

/* Protocols of tones: a string read as an alarm, and the same alarm said as that string. */

interface Line {
  readonly line: string;
  readonly fields: Readonly<Record<string, string>>;
}

interface Reply extends Line {
  readonly after: Bs8521Command['kind'];
  readonly meaning: object;
}

interface Coded {
  readonly deviceType: string;
  readonly statusCode: string;
}

interface Packet extends Coded {
  readonly packet: string;
  readonly valid: boolean;
  readonly alarmType?: string;
  readonly data?: string;
}

interface Message extends Coded {
  readonly dtmf: string;
  readonly valid: boolean;
  readonly fields?: Readonly<Record<string, string>>;
}

const read = (protocol: ToneProtocol, line: string): ToneFrame => value(protocol.read(line));

const sourceOf = (protocol: string, raw: string, { fields, warnings }: ToneFrame): SourceAlarmEvent => ({
  protocol,
  raw,
  fields,
  check: { policy: 'learn', result: 'notChecked' },
  warnings,
});

/** An event of an application, in the words of the list for sending. */
export const eventOf = (said: Readonly<Record<string, unknown>>): AlarmEvent => ({
  controllerId: String(said.controllerId ?? '12345678'),
  ...(said.deviceId !== undefined && { deviceId: String(said.deviceId) }),
  deviceType: codedFrom('deviceType', String(said.deviceType)),
  statusCode:
    said.statusCode == null
      ? { native: null, send: null, receive: null }
      : codedFrom('statusCode', String(said.statusCode)),
  ...(said.location !== undefined && { location: codedFrom('location', String(said.location)) }),
  audio: (said.audio ?? 'none') as AlarmEvent['audio'],
  priority: Number(said.priority ?? 0),
  ...(said.callerId !== undefined && { callerId: String(said.callerId) }),
});

/** Tones as pairs of digit and length. */
const pairsOf = (tones: readonly Tone[]): (readonly [string, number])[] =>
  tones.flatMap((tone) => {
    if ('digit' in tone) return [[tone.digit, tone.ms] as const];
    return 'onMs' in tone ? [...tone.digits].map((digit) => [digit, tone.onMs] as const) : [];
  });

/** Codec that says the words of a vector. */
function tonesFor(words: string): readonly Tone[] {
  if (words === 'data request') return BS8521_PROFILE.trigger.send;
  if (words === 'acknowledge') return BS8521_PROFILE.ack;
  const unitId = /^select unit (\d{4})$/.exec(words)?.[1];
  const command: Bs8521Command = unitId === undefined ? { kind: 'speak' } : { kind: 'selectUnit', unitId };
  return encodeCommand(command, BS8521_PROFILE);
}

/** The answer of a device of ours to a command, while these events wait with it. */
function answerTo(command: Bs8521Command, waiting: readonly string[]): string {
  const [first, ...others] = waiting.map((digits) => value(decodeBs8521(digits)));
  if (first === undefined) throw new Error('a device that has nothing to say places no call');
  let { state } = stepBs8521Sending(bs8521Sending('0', first, BS8521_PROFILE), { type: 'start' });
  const hear = (digit: string, ms: number) => {
    const step = stepBs8521Sending(state, { type: 'heard', tone: { digit, ms } });
    state = step.state;
    return step.effects;
  };
  hear('B', 600);
  hear('B', 80);
  others.forEach((fields, place) => {
    ({ state } = stepBs8521Sending(state, { type: 'add', id: String(place + 1), fields }));
  });
  const effects = pairsOf(encodeCommand(command, BS8521_PROFILE)).flatMap(([digit, ms]) => hear(digit, ms));
  const said = effects.flatMap((one) => (one.type === 'play' ? pairsOf(one.tones) : []));
  return said.map(([digit]) => digit).join('');
}

const UNIT = '110012345678004201907900';
const GROUP = (count: number) => Array.from({ length: count }, () => UNIT);

const REPLIES: Readonly<Record<string, readonly [Bs8521Command, readonly string[]]>> = {
  'bs8521Replies-01': [{ kind: 'clear' }, GROUP(3)],
  'bs8521Replies-02': [{ kind: 'nextOutstanding', unitId: '0099' }, GROUP(1)],
  'bs8521Replies-03': [{ kind: 'selectUnit', unitId: '0042' }, GROUP(1)],
  'bs8521Replies-04': [{ kind: 'output', control: '01' }, GROUP(1)],
};

export const TONE_ROUTES: Readonly<Record<string, DirectionProofs>> = {
  bs8521: {
    decoded: ({ line, fields, alarmEvent }: Line & { readonly alarmEvent: object }) => {
      const frame = read(bs8521Protocol(), line);
      expect(frame.fields).toEqual(fields);
      expect(frame.event && receivedForm(frame.event)).toEqual(alarmEvent);
    },
    encoded: ({ line }: Line) => {
      // It goes on as it came, with what had been lost of it.
      const whole = line.startsWith('A') ? line : `A${line}`;
      const frame = read(bs8521Protocol(), line);
      if (frame.event === null) throw new Error('no event');
      const form = value(bs8521Form(frame.event, { source: sourceOf('bs8521', line, frame) }));
      expect(encodeBs8521Line(form)).toBe(whole);
    },
  },
  bs8521Bad: {
    decoded: ({ line }: Line) => expect(decodeBs8521Line(line).ok).toBe(false),
    encoded: 'no encoder writes a wrong string',
  },
  bs8521Send: {
    decoded: ({ data24, alarmEvent }: { readonly data24: string; readonly alarmEvent: AlarmEvent }) => {
      const { event, fields } = read(bs8521Protocol(), `A${data24}00#`);
      const { controllerId, deviceId = controllerId.slice(8), priority = 0, audio } = alarmEvent;
      // A fall-back has lost its words, never who it is, whether it is heard and how urgent it is.
      expect(event).toMatchObject({ controllerId: controllerId.slice(0, 8), deviceId, priority, audio });
      expect(encodeBs8521(fields as never)).toBe(data24);
    },
    encoded: ({ data24, alarmEvent }: { readonly data24: string; readonly alarmEvent: object }) => {
      const fields = value(bs8521Fields(eventOf({ ...alarmEvent })));
      expect(encodeBs8521Line(fields)).toBe(`A${data24}00#`);
    },
  },
  bs8521Tones: {
    decoded: (vector: { readonly tones: readonly (readonly [string, number])[]; readonly read: string }) => {
      const detected = vector.tones.map(([digit, ms]) => ({ digit, ms }));
      const reading = readTones(detected, BS8521_PROFILE);
      if (reading.kind !== 'command') {
        expect(reading.kind).toBe(vector.read === 'data request' ? 'dataRequest' : vector.read);
        return;
      }
      expect(encodeCommand(reading.command, BS8521_PROFILE)).toEqual(tonesFor(vector.read));
    },
    encoded: (vector: { readonly tones: readonly unknown[]; readonly read: string }) => {
      expect(pairsOf(tonesFor(vector.read))).toEqual(vector.tones);
    },
  },
  bs8521Replies: {
    decoded: ({ after, line, meaning }: Reply) => {
      expect(decodeReply(after, line)).toMatchObject({ ok: true, value: meaning });
    },
    encoded: ({ id, line }: { readonly id: string; readonly line: string }) => {
      const [command, waiting] = REPLIES[id] ?? [];
      expect(command && answerTo(command, waiting ?? [])).toBe(line);
    },
  },
  tt: {
    decoded: ({ line, fields, deviceType, statusCode }: Line & Coded) => {
      for (const name of ['tt92', 'ttnew'] as const) {
        const frame = read(ttProtocol(name), line);
        expect(frame.fields).toMatchObject(fields);
        expect(frame.event && receivedForm(frame.event)).toMatchObject({ deviceType, statusCode });
      }
    },
    encoded: ({ line }: Line) => {
      for (const name of ['tt92', 'ttnew'] as const) {
        const frame = read(ttProtocol(name), line);
        if (frame.event === null) throw new Error('no event');
        const whole = line.startsWith('D') ? line : `D${line}`;
        expect(value(ttForm(frame.event, { source: sourceOf(name, line, frame) }))).toBe(whole);
      }
    },
  },
  ttGroup: {
    decoded: ({ line, fields }: Line) => expect(value(decodeGroupAlarm(line))).toEqual(fields),
    encoded: ({ line, fields }: { readonly line: string; readonly fields: GroupAlarm }) => {
      expect(encodeGroupAlarm(fields)).toBe(line);
    },
  },
  p100: {
    decoded: ({ packet, valid, alarmType, data, deviceType, statusCode }: Packet) => {
      for (const line of [packet, `D${packet}`]) {
        const { checked, check, event, fields } = read(p100Protocol(), line);
        expect(checkFits('sumHexByte', checked, check)).toBe(valid);
        if (!valid) continue;
        expect(fields).toMatchObject({ alarmType, data });
        expect(event && receivedForm(event)).toMatchObject({ deviceType, statusCode });
      }
    },
    encoded: ({ packet }: { readonly packet: string }) => {
      const { alarmType, data } = value(decodePacket(packet));
      expect(value(encodePacket(alarmType, data))).toBe(packet);
    },
    except: { 'p100-05': { lacks: 'encoded', why: 'no encoder writes a wrong check' } },
  },
  cpc: {
    decoded: ({ text, variant, key, identity }: Readonly<Record<string, string>>) => {
      const { fields, event } = read(cpcProtocol(), text ?? '');
      expect(fields).toMatchObject({ variant, key, identity });
      expect(event?.controllerId).toBe(identity);
    },
    encoded: 'the frame around a payload is not public: it is decoded, never encoded (protocols 8)',
  },
  contactId: {
    decoded: ({ dtmf, valid, fields, deviceType, statusCode }: Message) => {
      const frame = read(contactIdProtocol(), dtmf);
      expect(checkFits('sumMod15', frame.checked, frame.check)).toBe(valid);
      if (!valid) return;
      expect(frame.fields).toEqual(fields);
      expect(frame.event && receivedForm(frame.event)).toMatchObject({ deviceType, statusCode });
    },
    encoded: ({ dtmf }: { readonly dtmf: string }) => {
      expect(value(encodeMessage(value(decodeMessage(dtmf))))).toBe(dtmf);
    },
    except: { 'contactId-07': { lacks: 'encoded', why: 'no encoder writes a wrong check digit' } },
  },
};
