import type { Decision } from '../protocol.ts';
import { SNU } from './element.codes.ts';
import type { ExchangeEffect, ExchangeInput } from './exchange-input.ts';
import type { Exchange, ExchangeStep, PendingEvent, PendingReply } from './exchange-state.ts';
import { encodeResponse, plainResponse, type ScaipResponse } from './response.ts';
import { voiceAnswer } from './voice-answer.ts';

/* Answers of an exchange to its device: now, on the next repeat, or not at all. */

export function decide(x: Exchange, decision: Decision): ExchangeStep {
  const asked = x.asked ?? { ref: x.ref, version: '01.00', media: [], wantsCallback: false };
  const { response, voice, alarms } = voiceAnswer(decision, asked, x.profile);
  const raises = alarms.map((alarm): ExchangeEffect => ({ type: 'raise', alarm }));
  if (x.held) return to({ ...x, decided: { response, voice } }, ...raises, { type: 'keep' });
  return andThen(to(x, ...raises), (y) => finish(y, [], { response, voice }));
}

/** The final answer, to `ways` and to all that wait; to the last known way when none does. */
export function finish(
  x: Exchange,
  replyPaths: readonly PendingReply[],
  decided: NonNullable<Exchange['decided']>,
): ExchangeStep {
  const waiting = [...x.waiting, ...replyPaths];
  const receivers = waiting.length > 0 || x.lastWay === null ? waiting : [x.lastWay];
  const speech = decided.voice === 'deviceCalls' || decided.voice === 'weCall';
  return to(
    {
      ...x,
      state: speech ? 'answered' : 'closed',
      waiting: [],
      decided: null,
      last: decided.response,
      voice: decided.voice,
    },
    ...STOP_TIMERS,
    ...answers(receivers, decided.response, x),
    { type: 'answered', voice: decided.voice },
    { type: 'keep' },
  );
}

export function hold(x: Exchange, replyPaths: readonly PendingReply[] = []): ExchangeStep {
  const waiting = [...x.waiting, ...replyPaths];
  const receivers = waiting.length > 0 || x.lastWay === null ? waiting : [x.lastWay];
  return to(
    { ...x, held: true, waiting: [] },
    { type: 'stopTimer', timer: 'hold' },
    ...answers(receivers, plainResponse(x.ref, SNU.hold), x),
    { type: 'startTimer', timer: 'resend', ms: x.profile.answerCacheMin * 60_000 },
  );
}

/** The session ends with the device's absence: should it come back after all, it is heard as a new alarm. */
export function giveUp(x: Exchange): ExchangeStep {
  const reason = `the device did not come back for its answer within ${x.profile.answerCacheMin} min`;
  return to({ ...x, state: 'closed', decided: null }, { type: 'deviceGone', reason }, { type: 'keep' });
}

/** After a restart no connection waits any more: a device that still wants the answer asks again. */
export const recover = (x: Exchange): ExchangeStep =>
  to(
    { ...x, state: 'asking', held: true },
    { type: 'startTimer', timer: 'resend', ms: x.profile.answerCacheMin * 60_000 },
  );

export function close(x: Exchange): ExchangeStep {
  const last = x.last ?? x.decided?.response ?? null;
  const left: Exchange = { ...x, state: 'closed', pending: [], waiting: [], last };
  return to(left, ...STOP_TIMERS, ...silence(repliesLeft(x), 'the session ended without an answer'), {
    type: 'keep',
  });
}

export function withdrawn(x: Exchange, event: PendingEvent): ExchangeStep {
  const replyPaths = [...x.waiting, ...event.ways];
  const last = plainResponse(x.ref, SNU.ok);
  return to(
    { ...x, state: 'closed', waiting: [], decided: null, last, voice: 'none' },
    ...STOP_TIMERS,
    ...answers(replyPaths, last, x),
    { type: 'keep' },
  );
}

// Small pieces

export type Arrival = Extract<ExchangeInput, { type: 'request' }>;

const STOP_TIMERS: readonly ExchangeEffect[] = [
  { type: 'stopTimer', timer: 'hold' },
  { type: 'stopTimer', timer: 'resend' },
];

export const to = (state: Exchange, ...effects: readonly ExchangeEffect[]): ExchangeStep => ({
  state,
  effects,
});

export function andThen(first: ExchangeStep, next: (state: Exchange) => ExchangeStep): ExchangeStep {
  const second = next(first.state);
  return { state: second.state, effects: [...first.effects, ...second.effects] };
}

export const pendingRepliesOf = ({
  to: replyPath,
  from,
  request,
  at,
}: Pick<Arrival, 'to' | 'from' | 'request' | 'at'>): readonly PendingReply[] =>
  replyPath === undefined
    ? []
    : [{ to: replyPath, ref: request.ref, at, ...(from !== undefined && { from }) }];

/**
 * The reply paths that still wait for an answer, and silence for the others: their device repeats or has used another
 * receiver.
 */
export function stillWaiting(
  replyPaths: readonly PendingReply[],
  at: number,
  { profile: { ackWithinMs } }: Exchange,
): { readonly waiting: readonly PendingReply[]; readonly silences: ExchangeEffect[] } {
  const late = replyPaths.filter((replyPath) => at - replyPath.at > ackWithinMs);
  const reason = `stored later than ${ackWithinMs} ms after the request: its repeat gets the answer`;
  return {
    waiting: replyPaths.filter((replyPath) => !late.includes(replyPath)),
    silences: silence(late, reason),
  };
}

export const repliesLeft = (x: Exchange): readonly PendingReply[] => [
  ...x.waiting,
  ...x.pending.flatMap((event) => event.ways),
];

export const silence = (replyPaths: readonly PendingReply[], reason: string): ExchangeEffect[] =>
  replyPaths.length === 0
    ? []
    : [{ type: 'silence', to: replyPaths.map((replyPath) => replyPath.to), reason }];

/** One answer for each reference, since a cancel may withdraw an alarm of another one, and for each source. */
export function answers(
  replyPaths: readonly PendingReply[],
  response: ScaipResponse,
  { profile }: Exchange,
): ExchangeEffect[] {
  const groups = Map.groupBy(replyPaths, ({ ref, from = '' }) => JSON.stringify([ref, from]));
  return [...groups.values()].map((same) => {
    const said = { ...response, ref: same[0]?.ref ?? response.ref };
    return {
      type: 'answer',
      to: same.map((replyPath) => replyPath.to),
      mode: profile.responseMode,
      response: said,
      xml: encodeResponse(said),
    };
  });
}
