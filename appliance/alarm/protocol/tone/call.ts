import { hear, hearBegin, hearEnquiry, hearPause, lineEnded } from './call-collect.ts';
import type { ToneInput } from './call-input.ts';
import { protocolOf, type ToneCall, type ToneState, type ToneStep, to } from './call-state.ts';
import { ask, durable, failed, notDurable, speechWaits } from './call-turn.ts';

/*
 * One call of a device that speaks in tones (receiver). The profile says which tones and times.
 *
 *        answered        symbol               string ends: valid        stored: ack     settle
 *   idle ------> asking -------> collecting -----------------> storing ---------> open --------> ready (speech)
 *                |  ^ trigger     |                               |               | ^
 *                |  | timer: ask  | bad: quiet, then ask again    | not stored:   +-+ symbols: collected again;
 *                |  +-------------+ <-----------------------------+ no ack          same string: ack, no event
 *                |                                                 stored late: open without ack, it is said again
 *                +--> failed: no step and no request left, or `overall` without a valid string
 *
 * A device that leads (prefix or enquiry tone) chooses the step itself. The callback is never awaited here: it only
 * decides what happens after `ready`.
 */

type Row = (call: ToneCall, input: Exclude<ToneInput, { type: 'pause' }>) => ToneStep;

/** One input to completion. Inputs that mean nothing in a state leave a trace and nothing else. */
export function step(call: ToneCall, input: ToneInput): ToneStep {
  if (input.type === 'hungUp') return hungUp(call);
  if (input.type !== 'pause') return TABLE[call.state](call, input);
  return COLLECTING.includes(call.state) ? hearPause(call, input) : to(call);
}

/** Between strings, and behind the last one, a pause is no news. */
const COLLECTING: readonly ToneState[] = ['collecting', 'storing', 'open'];

const TABLE: Readonly<Record<ToneState, Row>> = {
  idle(call, input) {
    if (input.type !== 'answered') return ignore(call, input, 'the call is not answered');
    const { trigger, collect } = protocolOf(call).profile;
    return to(
      { ...call, state: 'asking' },
      { type: 'startTimer', timer: 'trigger', ms: Math.max(call.listenMs, trigger.waitBeforeMs) },
      { type: 'startTimer', timer: 'overall', ms: collect.overallMs },
    );
  },

  asking(call, input) {
    switch (input.type) {
      case 'began':
        return hearBegin(call, input);
      case 'heard':
        return hear(call, input.tone, input.at);
      case 'frequency':
        return hearEnquiry(call, input);
      case 'timer':
        if (input.timer === 'trigger') return ask(call);
        if (input.timer === 'overall') return failed(call);
        return ignore(call, input, 'not running');
      case 'answered':
      case 'stored':
      case 'storeFailed':
      case 'hungUp':
        return ignore(call, input, 'nothing was collected yet');
    }
  },

  collecting(call, input) {
    switch (input.type) {
      case 'began':
        return hearBegin(call, input);
      case 'heard':
        return hear(call, input.tone, input.at);
      case 'timer':
        if (input.timer === 'interDigit') return lineEnded(call, input.at);
        // The string under way is heard to its end.
        if (input.timer === 'overall') return to({ ...call, lastChance: true });
        return ignore(call, input, 'not running');
      case 'frequency':
        return ignore(call, input, 'the device is sending');
      case 'answered':
      case 'stored':
      case 'storeFailed':
      case 'hungUp':
        return ignore(call, input, 'nothing is being stored');
    }
  },

  storing(call, input) {
    switch (input.type) {
      case 'stored':
        return durable(call, input.ordinal, input.at);
      case 'storeFailed':
        return notDurable(call, input.ordinal);
      case 'began':
        return hearBegin(call, input);
      case 'heard':
        return hear(call, input.tone, input.at);
      case 'timer':
        if (input.timer === 'interDigit') return lineEnded(call, input.at);
        return ignore(call, input, 'not running');
      case 'frequency':
        return ignore(call, input, 'the acknowledge of what was heard is on its way');
      case 'answered':
      case 'hungUp':
        return ignore(call, input, 'not running');
    }
  },

  open(call, input) {
    switch (input.type) {
      case 'heard':
        return hear(call, input.tone, input.at);
      case 'timer':
        if (input.timer === 'interDigit') return lineEnded(call, input.at);
        if (input.timer === 'settle' && !call.ready) {
          if (call.owed && call.tones.length > 0) return speechWaits(call);
          return to({ ...call, ready: true }, { type: 'ready', protocol: protocolOf(call).name });
        }
        return ignore(call, input, 'not running');
      case 'began':
        return hearBegin(call, input);
      case 'frequency':
      case 'answered':
      case 'stored':
      case 'storeFailed':
      case 'hungUp':
        return ignore(call, input, 'the string is acknowledged');
    }
  },

  closed: (call, input) => ignore(call, input, 'the call is over, or speech is all there is'),
};

function hungUp(call: ToneCall): ToneStep {
  // The event that is being stored belongs to the session: it is delivered although the device does not hear the
  // acknowledge.
  return to(
    { ...call, state: 'closed' },
    { type: 'stopTimer', timer: 'trigger' },
    { type: 'stopTimer', timer: 'interDigit' },
    { type: 'stopTimer', timer: 'overall' },
    { type: 'stopTimer', timer: 'settle' },
  );
}

const ignore = (call: ToneCall, input: ToneInput, why: string): ToneStep =>
  to(call, { type: 'trace', text: `${input.type} ignored in ${call.state}: ${why}` });
