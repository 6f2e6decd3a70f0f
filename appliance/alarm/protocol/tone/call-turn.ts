import type { ToneEffect } from './call-face.ts';
import { andThen, protocolOf, type ToneCall, type ToneStep, to } from './call-state.ts';
import { lengthMs } from './tone.ts';

/* Our turns in a call: asking, acknowledging, waiting for a repeat, giving up. */

/** The next request: of this step, else of the next one, else the end. */
export function ask(call: ToneCall): ToneStep {
  const step = call.steps[call.current];
  if (step === undefined || call.lastChance) return failed(call);
  const { trigger, collect } = step.protocol.profile;
  if (call.asked < Math.min(step.tries ?? trigger.max, trigger.max)) {
    return to(
      { ...call, state: 'asking', asked: call.asked + 1 },
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
  return waitQuietly(call, protocolOf(call).profile.collect.quietAfterBadMs, said);
}

/** What was heard was no string: the requests go on as if nothing had been. */
export function waitOn(call: ToneCall, ...said: readonly ToneEffect[]): ToneStep {
  return waitQuietly(call, protocolOf(call).profile.trigger.repeatEveryMs, said);
}

function waitQuietly(call: ToneCall, ms: number, said: readonly ToneEffect[]): ToneStep {
  if (call.taken.length > 0) return to({ ...call, state: 'open', tones: [] }, ...said);
  if (call.lastChance) return andThen(to({ ...call, tones: [] }, ...said), failed);
  return to({ ...call, state: 'asking', tones: [] }, ...said, { type: 'startTimer', timer: 'trigger', ms });
}

export function failed(call: ToneCall): ToneStep {
  return to(
    { ...call, state: 'closed', tones: [] },
    { type: 'stopTimer', timer: 'trigger' },
    { type: 'stopTimer', timer: 'overall' },
    { type: 'failed', reason: call.heard.length > 0 ? 'noValidString' : 'noAnswer', heard: call.heard },
  );
}

export function durable(call: ToneCall, ordinal: number): ToneStep {
  if (ordinal !== call.storing)
    return to(call, { type: 'trace', text: `event ${ordinal} is not waited for` });
  return acknowledge({ ...call, storing: null });
}

/** No acknowledge: the device sends again, and what it sends is new. */
export function notDurable(call: ToneCall, ordinal: number): ToneStep {
  if (ordinal !== call.storing)
    return to(call, { type: 'trace', text: `event ${ordinal} is not waited for` });
  const taken = call.taken.slice(0, -1);
  return waitForRepeat(
    { ...call, taken, storing: null, ordinal },
    { type: 'trace', text: 'no acknowledge: not stored' },
  );
}

export function acknowledge(call: ToneCall): ToneStep {
  const { ack, settleMs } = protocolOf(call).profile;
  return to(
    { ...call, state: 'open', tones: [] },
    ...(ack.length > 0 ? [{ type: 'play', tones: ack } as const] : []),
    ...(call.ready ? [] : [{ type: 'startTimer', timer: 'settle', ms: lengthMs(ack) + settleMs } as const]),
  );
}
