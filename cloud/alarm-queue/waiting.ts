import {
  type AlarmQueuedData,
  TAKER_LIFE_MS,
  type WaitingState,
} from '#shared/contract/alarm-queue/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';

/*
 * One alarm of the queue. Every input has an answer in each state.
 *
 *   reported            take                 15 s without a heartbeat, release
 *  ─────────▶ waiting ────────▶ taken ─────────────────────────────────────────▶ released
 *                ▲               │  ▲                                              │
 *                │               │  └────────────────────── take ──────────────────┘
 *                │               ▼
 *                │    close, or its host has cleared the alarm
 *                └──▶ closed ◀── (from each state)
 */

/** The state of one alarm as it is stored. Times are epoch ms of this machine. */
export interface Waiting {
  readonly state: WaitingState;
  readonly turn: number;
  readonly taker: string | null;
  readonly takerName: string | null;
  readonly takenAt: number | null;
  readonly heartbeatAt: number | null;
  readonly lastTaker: string | null;
  readonly reason: string;
  readonly queuedAt: number;
  readonly closedAt: number | null;
  readonly closedBy: string | null;
}

/** A person who is signed in. */
export interface Taker {
  readonly id: string;
  readonly name: string;
}

/** A write of the person who has the alarm. `turn`: that of the take. */
export interface TakerWrite {
  readonly at: number;
  readonly taker: Taker;
  readonly turn: number;
}

type Report = Pick<AlarmQueuedData, 'call' | 'reason' | 'outcome'>;

/** Outcomes of a session by which an alarm is dealt with; after any other one a person has still to look. */
const DEALT_WITH: readonly string[] = ['handled', 'cleared', 'callCleared'];

const isDealtWith = ({ call, outcome }: Report): boolean =>
  call === 'ended' && DEALT_WITH.includes(outcome ?? '');

const NO_TAKER = { taker: null, takerName: null, takenAt: null, heartbeatAt: null } as const;

/** An alarm that its host reports for the first time. undefined: it is dealt with already. */
export function begun(report: Report, at: number): Waiting | undefined {
  if (isDealtWith(report)) return undefined;
  return {
    ...{ state: 'waiting', turn: 0, ...NO_TAKER, lastTaker: null, reason: report.reason, queuedAt: at },
    ...{ closedAt: null, closedBy: null },
  };
}

/** Its host reports again: the call of the taker goes on, or the alarm is over. */
export function reported(now: Waiting, report: Report, at: number): Waiting {
  if (now.state === 'closed') return now;
  if (isDealtWith(report)) return closed({ ...now, reason: report.reason }, at, now.takerName);
  return { ...now, reason: report.reason };
}

/** One person has the alarm at a time. A person who takes it again goes on with a new turn. */
export function take(now: Waiting, { id, name }: Taker, at: number): Result<Waiting> {
  if (now.state === 'closed') return fail('alarmClosed', closedText(now));
  if (now.state === 'taken' && now.taker !== id && !isLost(now, at))
    return fail(
      'alarmTaken',
      `The alarm is not taken: ${now.takerName ?? 'another person'} has it. Wait until that person gives it back, or ask that person.`,
    );
  const before = now.taker === id ? now.lastTaker : (now.takerName ?? now.lastTaker);
  return ok({
    ...now,
    ...{ state: 'taken', turn: now.turn + 1, taker: id, takerName: name, takenAt: at, heartbeatAt: at },
    ...{ lastTaker: before, reason: `${name} has taken it` },
  });
}

/** A sign of life of the taker. */
export function heartbeat(now: Waiting, write: TakerWrite): Result<Waiting> {
  const refused = refusalOf(now, write);
  return refused ?? ok({ ...now, heartbeatAt: write.at });
}

/** The taker gives the alarm back. */
export function release(now: Waiting, write: TakerWrite): Result<Waiting> {
  const refused = refusalOf(now, write);
  return refused ?? ok(givenBack(now, `${write.taker.name} has given it back`, write.at));
}

/** The taker closes the alarm: it is dealt with. */
export function close(now: Waiting, write: TakerWrite): Result<Waiting> {
  const refused = refusalOf(now, write);
  return (
    refused ?? ok(closed({ ...now, reason: `${write.taker.name} has closed it` }, write.at, write.taker.name))
  );
}

/** Time passes: a taker without a sign of life has lost the alarm. undefined: nothing changes. */
export function tick(now: Waiting, at: number): Waiting | undefined {
  if (!isLost(now, at)) return undefined;
  return givenBack(now, `the console of ${now.takerName ?? 'the person'} has gone silent`, at);
}

/** Why a write of a taker is refused; undefined: it is the taker, and the turn is that of the take. */
export function refusalOf(now: Waiting, { at, taker, turn }: TakerWrite): Result<never> | undefined {
  if (now.state === 'closed') return fail('alarmClosed', closedText(now));
  if (now.state === 'taken' && now.taker === taker.id && now.turn === turn && !isLost(now, at))
    return undefined;
  const who =
    now.state === 'taken' && now.taker !== taker.id
      ? `${now.takerName ?? 'another person'} has the alarm now`
      : 'the alarm was given back, because no heartbeat came for 15 s or another window took it';
  return fail('takerLost', `The write is refused: ${who}. Take the alarm again.`);
}

const isLost = ({ state, heartbeatAt }: Waiting, at: number): boolean =>
  state === 'taken' && at - (heartbeatAt ?? 0) >= TAKER_LIFE_MS;

const givenBack = (now: Waiting, reason: string, at: number): Waiting => ({
  ...now,
  ...NO_TAKER,
  ...{ state: 'released', lastTaker: now.takerName ?? now.lastTaker, reason, queuedAt: at },
});

const closed = (now: Waiting, at: number, by: string | null): Waiting => ({
  ...now,
  ...{ state: 'closed', closedAt: at, closedBy: by },
});

const closedText = ({ closedBy }: Waiting): string =>
  `The write is refused: the alarm is closed${closedBy === null ? '' : ` by ${closedBy}`}. Read the list again.`;
