import {
  type Bs8521Fields,
  bs8521Alarm,
  bs8521Warnings,
  isBs8521Alarm,
  isBs8521Withdrawal,
} from '#shared/alarm-event/index.ts';
import type { ProtocolEvent } from '../protocol.ts';
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
 *      not stored: no answer, the repeat is new; stored when no way waits any more: no answer, taken
 *
 * Type 0: type A at once, sign of life. Answers to commands are the call's and are handed on. The call itself comes by
 * INVITE from the same identity; the same message in a new call is a new event: a person waits for voice. Without a call it is
 * a repeat as long as no call of its alarm has come; once that is over it is new, and a device that says it in the open call
 * may be about to call again: `again`.
 */

export type NowIpInput =
  /** A message, read. `to` names the way back; `call` the voice call of its controller that is open, the latest one. */
  | {
      readonly type: 'message';
      readonly at: number;
      readonly wallMs: number;
      readonly to: string;
      readonly atm: Atm;
      readonly call?: string;
    }
  | { readonly type: 'stored'; readonly at: number; readonly wallMs: number; readonly message: string }
  | { readonly type: 'storeFailed'; readonly at: number; readonly message: string }
  /** The call of this alarm; null: none came, and its session is over. */
  | {
      readonly type: 'called';
      readonly at: number;
      readonly message: string;
      readonly call: string | null;
    };

export type NowIpEffect =
  /** Send `xml` as a MESSAGE to each of `to`. */
  | { readonly type: 'answer'; readonly to: readonly string[]; readonly xml: string }
  | { readonly type: 'silence'; readonly to: readonly string[]; readonly reason: string }
  /** An event with a session of its own, named `message`. Answer with `stored` or `storeFailed`. */
  | ({ readonly type: 'event'; readonly message: string; readonly fields?: Bs8521Fields } & ProtocolEvent)
  /** An alarm that is known: a call that follows without another one is its new call. */
  | { readonly type: 'again' }
  | {
      readonly type: 'heartbeat';
      readonly at: number;
      readonly controllerId: string;
      readonly deviceId: string;
    }
  /** Not for this machine: a command, or the answer to one of ours. */
  | { readonly type: 'handOn'; readonly atm: Atm }
  /** The message gets no answer: its device sends it again. */
  | { readonly type: 'notUnderstood'; readonly reason: string }
  | { readonly type: 'trace'; readonly text: string };

type Arrived = Extract<NowIpInput, { type: 'message' }>;

interface Taken {
  readonly message: string;
  /** Type and data: controller and unit are part of them. */
  readonly text: string;
  /** '' as long as the message came before its call; null when the wait for that call ended in vain. */
  readonly call: string | null;
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
  if (input.type === 'called') {
    const its = receiver.taken.find(({ message }) => message === input.message);
    return to(its === undefined ? receiver : replaced(receiver, its, { ...its, call: input.call }));
  }
  const known = receiver.taken.find(({ message, stored }) => message === input.message && !stored);
  if (known === undefined)
    return to(receiver, { type: 'trace', text: `${input.type} ignored: not waited for` });
  if (input.type === 'storeFailed') {
    const taken = receiver.taken.filter((one) => one !== known);
    return to(
      { ...receiver, taken },
      { type: 'silence', to: connectionIdsOf(known.waiting), reason: 'the event could not be stored' },
    );
  }
  const { ackWithinMs } = receiver.profile;
  const inTime = known.waiting.filter(({ at }) => input.at - at <= ackWithinMs);
  const late = known.waiting.filter((one) => !inTime.includes(one));
  const reason = `stored later than ${ackWithinMs} ms after the message: its repeat gets the acknowledge`;
  return to(
    replaced(receiver, known, { ...known, stored: true, waiting: [] }),
    ...(inTime.length === 0 ? [] : [acknowledge(receiver, known.atm, connectionIdsOf(inTime), input.wallMs)]),
    ...(late.length === 0 ? [] : [{ type: 'silence', to: connectionIdsOf(late), reason } as const]),
  );
}

const connectionIdsOf = (waiting: Taken['waiting']): readonly string[] => waiting.map((one) => one.to);

/** The same message by the same way: its controller waits from now. */
const waitingToo = ({ waiting }: Taken, to: string, at: number): Taken['waiting'] => [
  ...waiting.filter((one) => one.to !== to),
  { to, at },
];

function arrive(receiver: NowIpReceiver, input: Arrived): NowIpStep {
  const { atm, at, wallMs, to: connectionId } = input;
  const meaning = meaningOf(atm);
  if (!meaning.ok) {
    if (atm.type === '1') return alarm(receiver, input, unreadable(atm));
    return to(receiver, { type: 'notUnderstood', reason: meaning.error.reason });
  }
  switch (meaning.value.kind) {
    case 'heartbeat': {
      const { controllerId, unitId } = meaning.value;
      return to(receiver, acknowledge(receiver, atm, [connectionId], wallMs), {
        type: 'heartbeat',
        at,
        controllerId,
        deviceId: unitId,
      });
    }
    case 'alarm':
      return alarm(receiver, input, readable(atm, meaning.value.fields));
    case 'command':
    case 'rejected':
    case 'busy':
    case 'response':
    case 'acknowledge':
      return to(receiver, { type: 'handOn', atm });
  }
}

/** Undefined: the digits are no alarm. */
type Said = (Omit<ProtocolEvent, 'ordinal'> & { readonly fields?: Bs8521Fields }) | undefined;

function alarm(receiver: NowIpReceiver, input: Arrived, said: Said): NowIpStep {
  const { atm, at, wallMs, to: connectionId, call = '' } = input;
  const text = alarmText(atm);
  const its = receiver.taken.filter((one) => one.text === text);
  const last = its.at(-1);
  const known = call === '' ? withoutCall(last) : inCall(its, call);
  if (known !== undefined) {
    const waiting = known.stored ? known.waiting : waitingToo(known, connectionId, at);
    return to(
      replaced(receiver, known, { ...known, call: call === '' ? known.call : call, waiting }),
      ...(known.stored ? [acknowledge(receiver, atm, [connectionId], wallMs)] : []),
      ...(said?.kind === 'first' ? [{ type: 'again' } as const] : []),
    );
  }
  if (said === undefined) {
    return to(receiver, acknowledge(receiver, atm, [connectionId], wallMs), {
      type: 'trace',
      text: 'no alarm: logged only',
    });
  }
  const message = `${text}:${call === '' && last?.call ? `after ${last.call}` : call}`;
  const untilMs = at + receiver.profile.dedupeMs;
  const taken: Taken = {
    message,
    text,
    call,
    stored: false,
    waiting: [{ to: connectionId, at }],
    atm,
    untilMs,
  };
  const state = { ...receiver, taken: [...receiver.taken, taken] };
  return to(state, { type: 'event', message, ordinal: 0, ...said });
}

/** Type and data: what makes the same alarm, whatever its call. */
export const alarmText = ({ type, data }: Pick<Atm, 'type' | 'data'>): string => `${type}:${data}`;

/** The message may come before its INVITE: the first call that is named is then its own. */
const inCall = (its: readonly Taken[], call: string): Taken | undefined =>
  its.find((one) => one.call === call) ?? its.findLast((one) => one.call === '');

/** No call of the controller is open: one that its alarm had is over. */
const withoutCall = (last: Taken | undefined): Taken | undefined =>
  last?.call === '' || last?.call === null ? last : undefined;

function readable(atm: Atm, fields: Bs8521Fields): Said {
  if (!isBs8521Alarm(fields)) return undefined;
  const { raw, time, mac, wgs, warnings } = atm;
  const event = bs8521Alarm(fields);
  return {
    fields,
    kind: isBs8521Withdrawal(fields) ? 'cleared' : 'first',
    event,
    source: {
      protocol: 'nowip',
      raw,
      fields: { ...fields, time, mac, ...(wgs !== undefined && { wgs }) },
      check: { policy: 'none', result: 'notChecked' },
      warnings: [...warnings, ...bs8521Warnings(fields)],
    },
    offer: { voice: event.audio !== 'none' },
  };
}

/**
 * Chosen: an alarm with unreadable digits is still an alarm, since a person may be waiting for help. The digits that look like
 * a controller identify it, and the receiver acknowledges it, since its device would say the same again.
 */
function unreadable({ raw, data, warnings }: Atm): Said {
  const unknown = { native: data.slice(0, MOST_RAW), send: null, receive: null };
  return {
    kind: 'first',
    event: {
      controllerId: controllerIn(data) ?? '0',
      deviceType: { ...unknown, send: 'unknown' },
      statusCode: { ...unknown, send: 'alarm', receive: 'alarm' },
      audio: 'duplex',
      priority: 0,
    },
    source: {
      protocol: 'nowip',
      raw,
      fields: { data },
      check: { policy: 'none', result: 'notChecked' },
      warnings: ['unreadable', ...warnings],
    },
    offer: { voice: true },
  };
}

const MOST_RAW = 64;

/** Digits that look like the controller; data that say two of them name none. */
function controllerIn(data: string): string | undefined {
  const said = new Set(data.split('|').map((part) => /^\d{4}(\d{8})/.exec(part)?.[1]));
  return said.size === 1 ? [...said][0] : undefined;
}

/** Type A; version and mac of the request are mirrored. */
function acknowledge(
  { profile }: NowIpReceiver,
  { version, mac }: Pick<Atm, 'version' | 'mac'>,
  connectionIds: readonly string[],
  wallMs: number,
): NowIpEffect {
  const form = {
    version: version === '' ? profile.version : version,
    type: 'A',
    data: '',
    time: atmTime(wallMs),
    mac: mac === '' ? profile.mac : mac,
  };
  return { type: 'answer', to: connectionIds, xml: encodeAtm(form, profile.emptyText) };
}

const replaced = (receiver: NowIpReceiver, old: Taken, now: Taken): NowIpReceiver => ({
  ...receiver,
  taken: receiver.taken.map((one) => (one === old ? now : one)),
});

const to = (state: NowIpReceiver, ...effects: readonly NowIpEffect[]): NowIpStep => ({ state, effects });
