import { isSameSource, NOWHERE, type Origin, sourceName, type Telling } from '../repeat/index.ts';
import { ackFrame, duhFrame, nakFrame } from './answer.ts';
import type { Dc09Head } from './head.ts';
import { type Arrival, judge } from './judge.ts';
import { repeatMs, silenceAllowedMs } from './profile.ts';
import type { LinkEffect, LinkInput } from './receiver-state.ts';
import type { Sealing } from './seal.ts';

/*
 * The link with one account (receiver of ANSI/SIA DC-09). Each frame that carries events goes its own way:
 *
 *          events                 all stored: ACK              dedupeMin
 *   new ------------> storing ----------------------> taken --------------> forgotten
 *    ^                 |  | same frame: waits too      | same frame: ACK again, no event
 *    +-----------------+
 *      one not stored: silence, the repeat is new; stored when no way waits any more: silence, taken
 *
 * The same frame is one that its own source has sent: under the key of the account, else from the same address. From another one it
 * goes its own way. Sequence 0000 marks no repetition: after the retry time the same frame is new.
 *
 * NULL: ACK at once, sign of life. Cannot be processed, wrong key: DUH. Time out of the window: NAK with our time.
 * Answers of others (ACK, NAK, DUH, RSP): ignored. A frame with a wrong CRC never comes here.
 */

/** A way back, and when its frame came by it last (monotonic ms). */
interface Waiting {
  readonly to: string;
  readonly at: number;
}

/** A frame with events that is known: on its way to the disk, or acknowledged. */
interface Taken extends Telling {
  /** Its mark and its source. */
  readonly frame: string;
  /** Sequence and CRC. */
  readonly mark: string;
  /** Ordinals that are not on the disk yet; empty = acknowledged. */
  readonly unstored: readonly number[];
  /** Those who wait for the acknowledge. */
  readonly waiting: readonly Waiting[];
  /** The data that the acknowledge needs; removed once it was sent. */
  readonly asked: {
    readonly head: Dc09Head;
    readonly key?: Uint8Array;
    readonly ackWithinMs: number;
  } | null;
  /** Monotonic ms. */
  readonly untilMs: number;
}

export interface Link {
  readonly account: string;
  readonly taken: readonly Taken[];
}

export interface LinkStep {
  readonly state: Link;
  readonly effects: readonly LinkEffect[];
}

/** Chosen: frames of one account remembered at once; beyond it the oldest acknowledged one is forgotten. */
const MOST_TAKEN = 64;

export const initial = (account: string): Link => ({ account, taken: [] });

/** One input to completion. */
export function step(before: Link, input: LinkInput, sealing: Sealing): LinkStep {
  const link = forget(before, input.at);
  switch (input.type) {
    case 'frame':
      return arrive(link, input, sealing);
    case 'stored':
      return stored(link, input, sealing);
    case 'storeFailed':
      return storeFailed(link, input);
  }
}

function arrive(link: Link, input: Arrival, sealing: Sealing): LinkStep {
  const { message, crc, setting, to: connectionId, at, wallMs } = input;
  const { head } = message;
  // Asked before the time is: the repeat of a frame that was taken over may be old by now.
  const mark = `${head.sequence}:${crc.toString(16).padStart(4, '0')}`;
  const origin = originOf(input);
  const frame = `${mark} ${sourceName(origin)}`;
  const known = link.taken.find((one) => one.mark === mark && isSameSource(one.origin, origin));
  if (known !== undefined) return repeat(link, known, input, sealing);

  const verdict = judge(input, sealing);
  switch (verdict.kind) {
    case 'ignore':
      return to(link, { type: 'trace', text: `frame ${frame} ignored: ${verdict.reason}` });
    case 'wrongTime':
      return to(
        link,
        { type: 'trace', text: `frame ${frame} gets NAK: ${verdict.reason}` },
        { type: 'answer', to: [connectionId], token: 'NAK', bytes: nakFrame(wallMs) },
        { type: 'wrongTime', account: link.account, reason: verdict.reason },
      );
    case 'refuse':
      return to(
        link,
        { type: 'trace', text: `frame ${frame} gets DUH: ${verdict.reason}` },
        { type: 'answer', to: [connectionId], token: 'DUH', bytes: duhFrame(head) },
        { type: verdict.authError ? 'authError' : 'rejected', account: link.account, reason: verdict.reason },
      );
    case 'null':
      return to(
        link,
        acknowledge(input, [connectionId], wallMs, sealing),
        alive(link, input),
        ...authErrors(link, verdict.authError),
      );
    case 'events': {
      const { events } = verdict;
      const key = head.encrypted && setting.key !== undefined && { key: setting.key };
      const ms = repeatMs(head.sequence, setting.profile);
      const taken: Taken = {
        frame,
        mark,
        origin,
        unstored: events.map((_, ordinal) => ordinal),
        waiting: [{ to: connectionId, at }],
        asked: { head, ...key, ackWithinMs: setting.profile.ackWithinMs },
        untilMs: at + ms,
      };
      return to(
        { ...link, taken: [...link.taken, taken] },
        ...events.map(
          ({ event, source }, ordinal): LinkEffect => ({
            type: 'event',
            frame,
            mark,
            origin,
            repeatMs: ms,
            ordinal,
            kind: ordinal === 0 ? 'first' : 'further',
            event,
            source,
            offer: { voice: false },
          }),
        ),
        alive(link, input),
        ...authErrors(link, verdict.authError),
        ...(verdict.unreadable === undefined
          ? []
          : [{ type: 'unreadable', account: link.account, reason: verdict.unreadable } as const]),
      );
    }
  }
}

/** The same frame again: no event. Acknowledged at once, or with the first one when that is still being stored. */
function repeat(link: Link, known: Taken, input: Arrival, sealing: Sealing): LinkStep {
  const { to: connectionId, at, wallMs } = input;
  if (known.unstored.length > 0) {
    const waiting = [...known.waiting.filter((one) => one.to !== connectionId), { to: connectionId, at }];
    return to(replaced(link, known, { ...known, waiting }), alive(link, input));
  }
  return to(link, acknowledge(input, [connectionId], wallMs, sealing), alive(link, input));
}

function stored(
  link: Link,
  { frame, ordinal, at, wallMs }: Extract<LinkInput, { type: 'stored' }>,
  sealing: Sealing,
): LinkStep {
  const known = link.taken.find((one) => one.frame === frame);
  if (known?.asked == null || !known.unstored.includes(ordinal)) {
    return to(link, {
      type: 'trace',
      text: `stored ignored: event ${ordinal} of ${frame} is not waited for`,
    });
  }
  const unstored = known.unstored.filter((one) => one !== ordinal);
  if (unstored.length > 0) return to(replaced(link, known, { ...known, unstored }));
  const { head, key, ackWithinMs } = known.asked;
  const done = { ...known, unstored, waiting: [], asked: null };
  const [inTime, late] = [true, false].map((wanted) =>
    known.waiting.filter((one) => at - one.at <= ackWithinMs === wanted).map((one) => one.to),
  );
  const said: LinkEffect[] = [];
  if (inTime?.length) said.push(answerOf(ackFrame({ head, ...(key && { key }) }, wallMs, sealing), inTime));
  if (late?.length) {
    const reason = `stored later than ${ackWithinMs} ms after the frame: its repeat gets the acknowledge`;
    said.push({ type: 'silence', to: late, reason });
  }
  return to(replaced(link, known, done), ...said);
}

/** No answer of any kind: the panel repeats, and what it repeats is new. */
function storeFailed(link: Link, { frame, ordinal }: Extract<LinkInput, { type: 'storeFailed' }>): LinkStep {
  const known = link.taken.find((one) => one.frame === frame);
  if (known === undefined || !known.unstored.includes(ordinal)) {
    return to(link, {
      type: 'trace',
      text: `storeFailed ignored: event ${ordinal} of ${frame} is not waited for`,
    });
  }
  const left = { ...link, taken: link.taken.filter((one) => one !== known) };
  const connectionIds = known.waiting.map((one) => one.to);
  return to(left, { type: 'silence', to: connectionIds, reason: 'the event could not be stored' });
}

// Restart

/** Acknowledged frames as plain JSON, with the time they are still remembered. */
export interface LinkSnapshot {
  readonly version: 1;
  readonly account: string;
  /** `frame`: its mark. Absent `origin`: it came from nowhere that is known. */
  readonly taken: readonly { readonly frame: string; readonly leftMs: number; readonly origin?: Origin }[];
}

export const snapshot = ({ account, taken }: Link, at: number): LinkSnapshot => ({
  version: 1,
  account,
  taken: taken
    .filter(({ unstored }) => unstored.length === 0)
    .map(({ mark: frame, untilMs, origin }) => ({ frame, leftMs: untilMs - at, origin })),
});

/** undefined: written by a version that is not understood. */
export function restore(kept: LinkSnapshot, at: number): Link | undefined {
  if (kept.version !== 1) return undefined;
  const taken = kept.taken.map(
    ({ frame: mark, leftMs, origin = NOWHERE }): Taken => ({
      frame: `${mark} ${sourceName(origin)}`,
      mark,
      origin,
      unstored: [],
      waiting: [],
      asked: null,
      untilMs: at + leftMs,
    }),
  );
  return { account: kept.account, taken };
}

// Small pieces

/** A frame under the key of its account proves it; `judge` opens it before it becomes an event. */
const originOf = ({ message: { head }, setting, address }: Arrival): Origin => ({
  address,
  ...(head.encrypted && setting.key !== undefined && { proof: 'account' }),
});

function forget(link: Link, at: number): Link {
  const inTime = link.taken.filter(({ untilMs, unstored }) => untilMs > at || unstored.length > 0);
  const surplus = inTime.length - MOST_TAKEN;
  const oldest = surplus <= 0 ? [] : inTime.filter(({ unstored }) => unstored.length === 0).slice(0, surplus);
  const taken = oldest.length === 0 ? inTime : inTime.filter((one) => !oldest.includes(one));
  return taken.length === link.taken.length ? link : { ...link, taken };
}

const replaced = (link: Link, old: Taken, now: Taken): Link => ({
  ...link,
  taken: link.taken.map((one) => (one === old ? now : one)),
});

function acknowledge(
  { message: { head }, setting: { key } }: Arrival,
  connectionIds: readonly string[],
  wallMs: number,
  sealing: Sealing,
): LinkEffect {
  return answerOf(ackFrame({ head, ...(key && { key }) }, wallMs, sealing), connectionIds);
}

const answerOf = (bytes: Uint8Array | undefined, connectionIds: readonly string[]): LinkEffect =>
  bytes === undefined
    ? { type: 'silence', to: connectionIds, reason: 'the acknowledge could not be encrypted' }
    : { type: 'answer', to: connectionIds, token: 'ACK', bytes };

function alive({ account }: Link, { at, setting }: Arrival): LinkEffect {
  const allowed = silenceAllowedMs(setting);
  return { type: 'alive', at, account, ...(allowed !== undefined && { silenceAllowedMs: allowed }) };
}

const authErrors = ({ account }: Link, reason: string | undefined): readonly LinkEffect[] =>
  reason === undefined ? [] : [{ type: 'authError', account, reason }];

const to = (state: Link, ...effects: readonly LinkEffect[]): LinkStep => ({ state, effects });
