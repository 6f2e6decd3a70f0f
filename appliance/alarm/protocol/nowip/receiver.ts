import {
  type Bs8521Fields,
  bs8521Alarm,
  bs8521Warnings,
  isBs8521Alarm,
  isBs8521Withdrawal,
} from '#shared/alarm-event/index.ts';
import type { ProtocolEvent } from '../face.ts';
import { type Atm, atmTime, encodeAtm } from './atm.ts';
import { meaningOf } from './meaning.ts';
import type { NowIpProfile } from './profile.ts';

/*
 * The messages of one controller (receiver of BS 8521-2). Each alarm goes its own way:
 *
 *          type 1              stored: type A          dedupeMs
 *   new ------------> storing ----------------> taken -----------> forgotten
 *    ^                 |  | same message: waits  | same message: type A again, no event
 *    +-----------------+
 *      not stored: no answer, the repeat is new; stored when nobody waits any more: no answer, taken
 *
 * Type 0: type A at once, sign of life. Answers to commands are the call's and are handed on. The call itself comes by
 * INVITE from the same identity; the same message in a new call is a new event: somebody waits for voice.
 */

export type NowIpInput =
  /** A message, read. `to` names the way back; `call` the voice call it belongs to, once there is one. */
  | {
      readonly type: 'message';
      readonly at: number;
      readonly wallMs: number;
      readonly to: string;
      readonly atm: Atm;
      readonly call?: string;
    }
  | { readonly type: 'stored'; readonly at: number; readonly wallMs: number; readonly message: string }
  | { readonly type: 'storeFailed'; readonly at: number; readonly message: string };

export type NowIpEffect =
  /** Send `xml` as a MESSAGE to each of `to`. */
  | { readonly type: 'answer'; readonly to: readonly string[]; readonly xml: string }
  | { readonly type: 'silence'; readonly to: readonly string[]; readonly reason: string }
  /** An event with a session of its own, named `message`. Answer with `stored` or `storeFailed`. */
  | ({ readonly type: 'event'; readonly message: string; readonly fields?: Bs8521Fields } & ProtocolEvent)
  | {
      readonly type: 'heartbeat';
      readonly at: number;
      readonly controllerId: string;
      readonly deviceId: string;
    }
  /** Not for this machine: a command, or the answer to one of ours. */
  | { readonly type: 'handOn'; readonly atm: Atm }
  | { readonly type: 'trace'; readonly text: string };

interface Taken {
  readonly message: string;
  /** Type and data: controller and unit are part of them. */
  readonly text: string;
  /** '' as long as the message came before its call. */
  readonly call: string;
  readonly stored: boolean;
  /** Ways back, each with when the message came by it last (monotonic ms). */
  readonly waiting: readonly { readonly to: string; readonly at: number }[];
  readonly atm: Pick<Atm, 'version' | 'mac'>;
  /** Monotonic ms. */
  readonly untilMs: number;
}

export interface NowIpReceiver {
  readonly profile: NowIpProfile;
  readonly taken: readonly Taken[];
}

export interface NowIpStep {
  readonly state: NowIpReceiver;
  readonly effects: readonly NowIpEffect[];
}

/** Chosen: messages of one controller remembered at once. */
const MOST_TAKEN = 64;

export const initial = (profile: NowIpProfile): NowIpReceiver => ({ profile, taken: [] });

/** One input to completion. */
export function step(before: NowIpReceiver, input: NowIpInput): NowIpStep {
  const current = before.taken.filter(({ untilMs, stored }) => untilMs > input.at || !stored);
  const surplus = Math.max(0, current.length - MOST_TAKEN);
  const receiver = { ...before, taken: current.filter(({ stored }, i) => i >= surplus || !stored) };
  if (input.type === 'message') return arrive(receiver, input);
  const known = receiver.taken.find(({ message, stored }) => message === input.message && !stored);
  if (known === undefined)
    return to(receiver, { type: 'trace', text: `${input.type} ignored: not waited for` });
  if (input.type === 'storeFailed') {
    const taken = receiver.taken.filter((one) => one !== known);
    return to(
      { ...receiver, taken },
      { type: 'silence', to: waysOf(known.waiting), reason: 'the event could not be stored' },
    );
  }
  const { ackWithinMs } = receiver.profile;
  const inTime = known.waiting.filter(({ at }) => input.at - at <= ackWithinMs);
  const late = known.waiting.filter((one) => !inTime.includes(one));
  const reason = `stored later than ${ackWithinMs} ms after the message: its repeat gets the acknowledge`;
  return to(
    replaced(receiver, known, { ...known, stored: true, waiting: [] }),
    ...(inTime.length === 0 ? [] : [acknowledge(receiver, known.atm, waysOf(inTime), input.wallMs)]),
    ...(late.length === 0 ? [] : [{ type: 'silence', to: waysOf(late), reason } as const]),
  );
}

const waysOf = (waiting: Taken['waiting']): readonly string[] => waiting.map((one) => one.to);

/** The same message by the same way: its controller waits from now. */
const waitingToo = ({ waiting }: Taken, to: string, at: number): Taken['waiting'] => [
  ...waiting.filter((one) => one.to !== to),
  { to, at },
];

function arrive(receiver: NowIpReceiver, input: Extract<NowIpInput, { type: 'message' }>): NowIpStep {
  const { atm, at, wallMs, to: way, call = '' } = input;
  const meaning = meaningOf(atm);
  if (!meaning.ok) {
    if (atm.type === '1') return unreadable(receiver, input);
    return to(receiver, { type: 'trace', text: `message not understood: ${meaning.error.reason}` });
  }
  switch (meaning.value.kind) {
    case 'heartbeat': {
      const { controllerId, unitId } = meaning.value;
      return to(receiver, acknowledge(receiver, atm, [way], wallMs), {
        type: 'heartbeat',
        at,
        controllerId,
        deviceId: unitId,
      });
    }
    case 'alarm':
      break;
    case 'command':
    case 'rejected':
    case 'busy':
    case 'response':
    case 'acknowledge':
      return to(receiver, { type: 'handOn', atm });
  }

  // The message may come before its INVITE: the first call that is named is then its own.
  const text = `${atm.type}:${atm.data}`;
  const known = receiver.taken.find((one) => one.text === text && (one.call === call || one.call === ''));
  if (known !== undefined) {
    const again = known.stored ? known.waiting : waitingToo(known, way, at);
    return to(
      replaced(receiver, known, { ...known, call, waiting: again }),
      ...(known.stored ? [acknowledge(receiver, atm, [way], wallMs)] : []),
    );
  }
  const { fields } = meaning.value;
  if (!isBs8521Alarm(fields)) {
    return to(receiver, acknowledge(receiver, atm, [way], wallMs), {
      type: 'trace',
      text: 'no alarm: logged only',
    });
  }
  const event = bs8521Alarm(fields);
  const untilMs = at + receiver.profile.dedupeMs;
  const message = `${text}:${call}`;
  const taken: Taken = { message, text, call, stored: false, waiting: [{ to: way, at }], atm, untilMs };
  return to(
    { ...receiver, taken: [...receiver.taken, taken] },
    {
      type: 'event',
      message,
      fields,
      ordinal: 0,
      kind: isBs8521Withdrawal(fields) ? 'cleared' : 'first',
      event,
      source: {
        protocol: 'nowip',
        raw: atm.raw,
        fields: { ...fields, time: atm.time, mac: atm.mac, ...(atm.wgs !== undefined && { wgs: atm.wgs }) },
        check: { policy: 'none', result: 'notChecked' },
        warnings: bs8521Warnings(fields),
      },
      offer: { voice: event.audio !== 'none' },
    },
  );
}

/**
 * Chosen: an alarm whose digits nobody can read is one all the same: somebody may be waiting for help. It stands under the digits
 * that look like its controller, and is acknowledged, since its device would say the same again.
 */
function unreadable(receiver: NowIpReceiver, input: Extract<NowIpInput, { type: 'message' }>): NowIpStep {
  const { atm, at, wallMs, to: way, call = '' } = input;
  const text = `${atm.type}:${atm.data}`;
  const known = receiver.taken.find((one) => one.text === text);
  if (known !== undefined)
    return known.stored
      ? to(receiver, acknowledge(receiver, atm, [way], wallMs))
      : to(replaced(receiver, known, { ...known, waiting: waitingToo(known, way, at) }));
  const message = `${text}:${call}`;
  const untilMs = at + receiver.profile.dedupeMs;
  const taken: Taken = { message, text, call, stored: false, waiting: [{ to: way, at }], atm, untilMs };
  const unknown = { native: atm.data.slice(0, MOST_RAW), send: null, receive: null };
  return to(
    { ...receiver, taken: [...receiver.taken, taken] },
    {
      type: 'event',
      message,
      ordinal: 0,
      kind: 'first',
      event: {
        controllerId: /^\d{4}(\d{8})/.exec(atm.data)?.[1] ?? '0',
        deviceType: { ...unknown, send: 'unknown' },
        statusCode: { ...unknown, send: 'alarm', receive: 'alarm' },
        audio: 'duplex',
        priority: 0,
      },
      source: {
        protocol: 'nowip',
        raw: atm.raw,
        fields: { data: atm.data },
        check: { policy: 'none', result: 'notChecked' },
        warnings: ['unreadable'],
      },
      offer: { voice: true },
    },
  );
}

const MOST_RAW = 64;

/** Type A; version and mac of the request are mirrored. */
function acknowledge(
  { profile }: NowIpReceiver,
  { version, mac }: Pick<Atm, 'version' | 'mac'>,
  ways: readonly string[],
  wallMs: number,
): NowIpEffect {
  const form = {
    version: version === '' ? profile.version : version,
    type: 'A',
    data: '',
    time: atmTime(wallMs),
    mac: mac === '' ? profile.mac : mac,
  };
  return { type: 'answer', to: ways, xml: encodeAtm(form, profile.emptyText) };
}

const replaced = (receiver: NowIpReceiver, old: Taken, now: Taken): NowIpReceiver => ({
  ...receiver,
  taken: receiver.taken.map((one) => (one === old ? now : one)),
});

const to = (state: NowIpReceiver, ...effects: readonly NowIpEffect[]): NowIpStep => ({ state, effects });
