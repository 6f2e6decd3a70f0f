import type { ToneEffect } from './call-input.ts';
import { andThen, protocolOf, type ToneCall, type ToneStep, to } from './call-state.ts';
import { ACK_WITHIN_MS } from './profile.ts';
import { lengthMs } from './tone.ts';

/* Our turns in a call: asking, acknowledging, waiting for a repeat, giving up. */

/** The next request: of this step, else of the next one, else the end. */
export function ask(call: ToneCall): ToneStep {
  const step = call.steps[call.current];
  if (step === undefined || call.lastChance) return failed(call);
  const { trigger, collect } = step.protocol.profile;
  if (call.asked < Math.min(step.tries ?? trigger.max, trigger.max)) {
    return to(
      { ...call, state: 'asking', asked: call.asked + 1, repeatDue: false },
      { type: 'play', tones: trigger.send },
      { type: 'asked' },
      { type: 'startTimer', timer: 'trigger', ms: trigger.repeatEveryMs },
      { type: 'startTimer', timer: 'overall', ms: collect.overallMs },
    );
  }
  const next = call.current + 1;
  if (next < call.steps.length) return ask({ ...call, current: next, asked: 0 });
  // A device that begins by itself is not asked: it has until `overall`.
  return trigger.max === 0 && call.heard.length === 0 ? to({ ...call, state: 'asking' }) : failed(call);
}

/** Silence after a bad string, so that the device can repeat; then a request, while there are any. */
export function waitForRepeat(call: ToneCall, ...said: readonly ToneEffect[]): ToneStep {
  const { quietAfterBadMs } = protocolOf(call).profile.collect;
  return waitQuietly({ ...call, repeatDue: true }, quietAfterBadMs, said);
}

/**
 * A few symbols that are no string: the requests go on as if nothing had been. Behind a bad string they are its torn-off end, and its
 * repeat is waited for: a request into it would be one too few, or the last.
 */
export function waitOn(call: ToneCall, ...said: readonly ToneEffect[]): ToneStep {
  const { trigger, collect } = protocolOf(call).profile;
  return waitQuietly(call, call.repeatDue ? collect.quietAfterBadMs : trigger.repeatEveryMs, said);
}

function waitQuietly(call: ToneCall, ms: number, said: readonly ToneEffect[]): ToneStep {
  if (call.taken.length > 0 || call.isPassive) return to({ ...call, state: 'open', tones: [] }, ...said);
  if (call.lastChance) return andThen(to({ ...call, tones: [] }, ...said), failed);
  return to({ ...call, state: 'asking', tones: [] }, ...said, { type: 'startTimer', timer: 'trigger', ms });
}

export function failed(call: ToneCall): ToneStep {
  return to(
    { ...call, state: 'closed', tones: [] },
    { type: 'stopTimer', timer: 'trigger' },
    { type: 'stopTimer', timer: 'overall' },
    { type: 'failed', reason: call.heard.length > 0 ? 'noValidString' : 'noAnswer', collected: call.heard },
  );
}

/**
 * Chosen: longer than any device here waits for its acknowledge (2 s, TT). A device that has not begun to repeat by then gets
 * speech, since a person is on the line.
 */
const REPEAT_WAIT_MS = 3_000;

/**
 * On the disk: acknowledged while the device listens. Later it is silent, or already repeating: what it repeats is known,
 * and acknowledged at its end.
 */
export function durable(call: ToneCall, ordinal: number, at: number): ToneStep {
  if (ordinal !== call.storing)
    return to(call, { type: 'trace', text: `event ${ordinal} is not waited for` });
  const stored: ToneCall = { ...call, storing: null };
  const { ack, ackWithinMs = ACK_WITHIN_MS } = protocolOf(call).profile;
  const tookMs = at - call.saidMs;
  const isInTime = call.tones.length === 0 && tookMs <= ackWithinMs;
  if (isInTime || ack.length === 0) return acknowledge(stored);
  return to(
    { ...stored, state: 'open', owed: true },
    { type: 'trace', text: `no acknowledge: stored after ${tookMs} ms, and the device repeats` },
    ...(call.ready ? [] : [REPEAT_WAIT]),
  );
}

/** Speech is due, but a string is under way that wants its acknowledge first. */
export const speechWaits = (call: ToneCall): ToneStep => to(call, REPEAT_WAIT);

const REPEAT_WAIT: ToneEffect = { type: 'startTimer', timer: 'settle', ms: REPEAT_WAIT_MS };

/** No acknowledge: the device sends again, and what it sends is new. */
export function notDurable(call: ToneCall, ordinal: number): ToneStep {
  if (ordinal !== call.storing)
    return to(call, { type: 'trace', text: `event ${ordinal} is not waited for` });
  const taken = call.taken.slice(0, -1);
  const forgotten: ToneCall = { ...call, taken, storing: null, ordinal, owed: false };
  const why: ToneEffect = { type: 'trace', text: 'no acknowledge: not stored' };
  if (call.tones.length === 0) return waitForRepeat(forgotten, why);
  // It is repeating already.
  if (taken.length > 0 || call.isPassive) return to({ ...forgotten, state: 'open' }, why);
  const ms = protocolOf(call).profile.collect.overallMs;
  return to({ ...forgotten, state: 'collecting' }, why, { type: 'startTimer', timer: 'overall', ms });
}

export function acknowledge(call: ToneCall): ToneStep {
  const { ack, settleMs } = protocolOf(call).profile;
  return to(
    { ...call, state: 'open', tones: [], owed: false },
    ...(ack.length > 0 ? [{ type: 'play', tones: ack } as const] : []),
    ...(call.ready ? [] : [{ type: 'startTimer', timer: 'settle', ms: lengthMs(ack) + settleMs } as const]),
  );
}
