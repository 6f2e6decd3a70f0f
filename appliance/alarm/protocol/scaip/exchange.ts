import { andThen, close, decide, giveUp, hold, recover, to } from './exchange-answer.ts';
import type { ExchangeInput } from './exchange-input.ts';
import {
  addEvent,
  addPart,
  durable,
  NOT_CHECKED,
  notDurable,
  partDone,
  raiseParts,
  repeat,
  repeatPart,
  takeRequest,
} from './exchange-intake.ts';
import type { Exchange, ExchangeState, ExchangeStep } from './exchange-state.ts';
import { isWithdrawal } from './translate.ts';

/*
 * One exchange: a device and a reference, from the first request to the last repeat (receiver of SS 91100).
 * Speech itself is the alarm session's: `answered` covers its waitingCall, inCall and clearing.
 *
 *            request                    stored                decision, not held
 *     new ------------> storing ------------------> asking ------------------------+--> answered (speech follows)
 *      |                ^   |                       |  ^ |                         |       |
 *      | part    last   |   | storeFailed: silence, | +--+ hold timer or repeat:   |       | sessionEnded
 *      v         part,  |   | the repeat is new     |      snu 4, held             |       v
 *  collecting ----------+   +-------> closed <------+------------------------------+--> closed
 *      part stored: snu 0   timer                   resend timer (held)               repeat: last answer
 *
 * Held: the decision waits for the next repeat. In every open state: other content of the same reference is a
 * further event, stored and then answered as last; a withdrawal is stored, answered snu 0 mre 0, and closes.
 */

type Row = (exchange: Exchange, input: ExchangeInput) => ExchangeStep;

/** One input to completion. Inputs that mean nothing in a state leave a trace and nothing else. */
export function step(exchange: Exchange, input: ExchangeInput): ExchangeStep {
  const { state, effects } = TABLE[exchange.state](exchange, input);
  // A closed exchange only answers repeats: what it knew of the request is not carried for half an hour.
  return {
    state: state.state === 'closed' && state.asked !== null ? { ...state, asked: null } : state,
    effects,
  };
}

const TABLE: Readonly<Record<ExchangeState, Row>> = {
  new(x, input) {
    if (input.type !== 'request') return ignore(x, input, 'nothing was received yet');
    const { request } = input;
    if (isWithdrawal(request)) return addEvent(x, input, request, 'cleared');
    if (request.messageType === 'ME' && request.partsToCome > 0) return addPart(x, input);
    // The session this update belongs to is unknown, after a restart for example: it is raised like an alarm.
    const warnings = request.messageType === 'IN' ? ['sessionUnknown'] : [];
    return addEvent(x, input, request, 'first', warnings);
  },

  collecting(x, input) {
    switch (input.type) {
      case 'request':
        if (x.taken.includes(input.request.fingerprint)) return repeatPart(x, input);
        if (input.request.messageType === 'ME' && !isWithdrawal(input.request)) return addPart(x, input);
        // Collected parts are raised before any other request.
        return andThen(raiseParts(x, input.check, ['partsMissing']), (raised) =>
          TABLE.storing(raised, input),
        );
      case 'partStored':
        return partDone(x, input.part, true, input.at);
      case 'partStoreFailed':
        return partDone(x, input.part, false, input.at);
      case 'timer':
        if (input.timer !== 'part') return ignore(x, input, 'not running');
        return raiseParts(x, NOT_CHECKED, ['partsMissing']);
      case 'recovered':
        return to(x, { type: 'startTimer', timer: 'part', ms: x.profile.partWaitMs });
      case 'sessionEnded':
      case 'stored':
      case 'storeFailed':
      case 'decision':
        return ignore(x, input, 'no event was raised yet');
    }
  },

  storing(x, input) {
    switch (input.type) {
      case 'request':
        return takeRequest(x, input);
      case 'stored':
        return durable(x, input.ordinal, input.at);
      case 'storeFailed':
        return notDurable(x, input.ordinal);
      case 'recovered':
        return recover(x);
      case 'sessionEnded':
        return close(x);
      case 'decision':
        return ignore(x, input, 'store before acknowledge: nothing is decided before the event is durable');
      case 'partStored':
      case 'partStoreFailed':
        return ignore(x, input, 'the event holds every part');
      case 'timer':
        return ignore(x, input, 'not running');
    }
  },

  asking(x, input) {
    switch (input.type) {
      case 'request':
        return takeRequest(x, input);
      case 'stored':
        return durable(x, input.ordinal, input.at);
      case 'storeFailed':
        return notDurable(x, input.ordinal);
      case 'decision':
        return x.decided === null ? decide(x, input.decision) : ignore(x, input, 'decided before');
      case 'timer':
        if (input.timer === 'hold' && !x.held) return hold(x);
        if (input.timer === 'resend' && x.held) return giveUp(x);
        return ignore(x, input, 'not running');
      case 'recovered':
        return recover(x);
      case 'sessionEnded':
        return close(x);
      case 'partStored':
      case 'partStoreFailed':
        return ignore(x, input, 'the event holds every part');
    }
  },

  answered(x, input) {
    switch (input.type) {
      case 'request':
        return takeRequest(x, input);
      case 'stored':
        return durable(x, input.ordinal, input.at);
      case 'storeFailed':
        return notDurable(x, input.ordinal);
      case 'sessionEnded':
        return close(x);
      case 'recovered':
        return to(x);
      case 'decision':
        return sayAnswered(x, input);
      case 'timer':
        return ignore(x, input, 'not running');
      case 'partStored':
      case 'partStoreFailed':
        return ignore(x, input, 'the event holds every part');
    }
  },

  closed(x, input) {
    switch (input.type) {
      case 'request':
        if (x.taken.includes(input.request.fingerprint)) return repeat(x, input);
        return ignore(x, input, 'other content opens an exchange of its own');
      case 'stored':
        return durable(x, input.ordinal, input.at);
      case 'storeFailed':
        return notDurable(x, input.ordinal);
      case 'recovered':
        return to(x);
      case 'decision':
        return sayAnswered(x, input);
      case 'sessionEnded':
      case 'timer':
      case 'partStored':
      case 'partStoreFailed':
        return ignore(x, input, 'the exchange is over');
    }
  },
};

/** The device has its answer; a session that decides again, after a restart, has not heard of it. */
const sayAnswered = (x: Exchange, input: ExchangeInput): ExchangeStep =>
  x.voice === null
    ? ignore(x, input, 'the device was never answered')
    : to(x, { type: 'answered', voice: x.voice });

const ignore = (x: Exchange, input: ExchangeInput, why: string): ExchangeStep =>
  to(x, { type: 'trace', text: `${input.type} ignored in ${x.state}: ${why}` });
