import { type AlarmSession, finish, type SessionState, type SessionStep, to } from './alarm-session.ts';
import { onAnswer, onFailure } from './decide.ts';
import { endByApplication, onList, onListTimer, withList } from './people.ts';
import type { SessionEffect, SessionEvent, SessionInput } from './session-input.ts';
import {
  centreLeft,
  clear,
  hangUpCleared,
  join,
  onAnswered,
  onCommand,
  redial,
  redialLater,
  refuse,
  tooLong,
  unreached,
  voiceMissing,
  waitAgain,
} from './speech.ts';

/*
 * One alarm, whatever its protocol.
 *
 *            stored             answer, failure,      answered:
 *                               callback timer        a call follows        voiceArrived
 *   storing --------> asking ------------------> decided -----> waitingCall ------------> inCall
 *      |                 |                          |                |                    |    |
 *      | storeFailed     | cleared, deviceGone      | answered:      | voice timer,       |    | hangup,
 *      | (no answer)     |                          | no call        | cleared            |    | centre left,
 *      |                 |                          | follows        |                    |    | too long
 *      v                 v                          v                v    device hung up  |    v
 *   closed <----------closed<--------------------closed<----------closed<-----------------+ clearing
 *                                                                    ^   device hung up,       |
 *                                                                    +--- 10 s ----------------+
 *
 * In every state: an event is stored, and delivered once it is durable. Nothing is decided and no callback leaves
 * before `stored`; a failed store means no acknowledge of any kind.
 * Chosen: unanswered is never cleared. A device that hears clear-down takes its alarm for dealt with and dials no further. So
 * that it dials on by itself, the session hangs up without one when its destination was never reached or was lost
 * (`voiceUnreached`), and a person is notified. Only a decision clears: that of the application (drop, hangupalarmcall,
 * clearDown), the device that takes its alarm back, and people who had answered and hang up (`arcDisconnectClearsCall`). A
 * withdrawal before the call ends the session; said in a call of the device it leads to decided, as a drop does. In another
 * conversation it ends waitingCall; said in a new call it leads from asking to decided and from inCall to clearing, too.
 */

type Row = (session: AlarmSession, input: SessionInput) => SessionStep;

/** One input to completion. Inputs that mean nothing in a state leave a trace and nothing else. */
export function step(session: AlarmSession, input: SessionInput): SessionStep {
  return withList(session, plainStep(session, input), input);
}

function plainStep(session: AlarmSession, input: SessionInput): SessionStep {
  switch (input.type) {
    case 'list':
      return onList(session, input);
    case 'command':
      return (
        (input.command === 'clearDown' ? endByApplication(session, input.id, input.at) : undefined) ??
        TABLE[session.state](session, input)
      );
    case 'hangup':
      return endByApplication(session, input.id, input.at) ?? TABLE[session.state](session, input);
    case 'event':
      return store(session, input);
    case 'stored':
      return durable(session, input.ordinal);
    case 'storeFailed':
      return notDurable(session, input.ordinal, input.reason);
    case 'withdrawn':
      return elsewhere(session, input);
    case 'voiceElsewhere':
      return to({ ...session, voiceElsewhere: true });
    case 'callbackAnswered':
    case 'callbackFailed':
    case 'timer':
      if (input.type === 'timer' && input.timer === 'list') return onListTimer(session, input.at);
      return (
        (session.callbackOut && session.state !== 'asking' ? afterwards(session, input) : undefined) ??
        TABLE[session.state](session, input)
      );
    default:
      return TABLE[session.state](session, input);
  }
}

const TABLE: Readonly<Record<SessionState, Row>> = {
  storing(s, input) {
    switch (input.type) {
      case 'voiceArrived':
        return to({ ...s, voiceHere: true });
      case 'voiceEnded':
        return to({ ...s, voiceHere: s.voiceHere && input.by !== 'device' });
      case 'recovered':
        return onRestart(s);
      case 'deviceGone':
        return ignore(s, input, 'nothing was promised to the device yet');
      default:
        return early(s, input);
    }
  },

  asking(s, input) {
    switch (input.type) {
      case 'callbackAnswered':
        return onAnswer(s, input.body);
      case 'callbackFailed':
        return onFailure(s, input.reason);
      case 'timer':
        if (input.timer !== 'callback') return ignore(s, input, 'not running');
        return onFailure(s, `no answer within ${s.setting.callbackTimeoutMs} ms`);
      case 'deviceGone':
        return finish(s, 'deviceGone', { type: 'trace', text: input.reason });
      case 'voiceArrived':
        return to({ ...s, voiceHere: true });
      case 'voiceEnded':
        return to({ ...s, voiceHere: s.voiceHere && input.by !== 'device' });
      case 'recovered':
        return onRestart(s);
      default:
        return early(s, input);
    }
  },

  decided(s, input) {
    switch (input.type) {
      case 'answered':
        return onAnswered(s, input);
      case 'deviceGone':
        return finish(s, 'deviceGone', { type: 'trace', text: input.reason });
      case 'voiceArrived':
        return to({ ...s, voiceHere: true });
      case 'voiceEnded':
        return to({ ...s, voiceHere: s.voiceHere && input.by !== 'device' });
      case 'recovered':
        return to(s, ...(s.decision === null ? [] : [{ type: 'decide', decision: s.decision } as const]));
      default:
        return early(s, input);
    }
  },

  waitingCall(s, input) {
    switch (input.type) {
      case 'voiceArrived':
        return join(s);
      case 'voiceFailed':
        return s.answered === 'weCall' ? redialLater(s, input.reason) : ignore(s, input, 'we place no call');
      case 'timer':
        if (input.timer === 'voice') return voiceMissing(s);
        if (input.timer === 'redial' && s.answered === 'weCall') return redial(s);
        return ignore(s, input, 'not running');
      case 'recovered':
        return waitAgain(s, input);
      case 'answered':
      case 'deviceGone':
        return ignore(s, input, 'the device has its answer');
      default:
        return early(s, input);
    }
  },

  inCall(s, input) {
    switch (input.type) {
      case 'command':
        return onCommand(s, input);
      case 'hangup':
        return hangUpCleared(s, input.id);
      case 'voiceEnded':
        if (input.by === 'device' && input.isCutOff === true)
          return finish(s, 'interrupted', callLost(BROKE_OFF), { type: 'hangUp' });
        if (input.by === 'device') return finish(s, 'deviceHungUp', { type: 'hangUp' });
        return centreLeft(s, input);
      case 'voiceJoined':
        return to({ ...s, isReached: true, arcGone: false });
      case 'voiceUnreached':
        return unreached(s, input.reason, input.destination);
      case 'timer':
        if (input.timer === 'maxDuration') return tooLong(s);
        if (input.timer === 'keepAlive') {
          return to(
            s,
            { type: 'deviceCommand', command: 'keepAlive' },
            { type: 'startTimer', timer: 'keepAlive', ms: s.setting.keepAliveMs },
          );
        }
        return ignore(s, input, 'not running');
      case 'recovered':
        return interrupted(s);
      default:
        return ignore(s, input, 'the call is there');
    }
  },

  clearing(s, input) {
    switch (input.type) {
      case 'voiceEnded':
        if (input.by === 'arc') return ignore(s, input, 'clear-down is under way');
        return finish(s, 'callCleared', { type: 'hangUp' });
      case 'timer':
        if (input.timer !== 'clearDown') return ignore(s, input, 'not running');
        return finish(s, 'callCleared', { type: 'hangUp' });
      case 'recovered':
        return interrupted(s);
      case 'command':
      case 'hangup':
        return refuse(s, input.id, 'noVoiceCall', 'the call is being cleared');
      default:
        return ignore(s, input, 'clear-down is under way');
    }
  },

  closed(s, input) {
    switch (input.type) {
      case 'command':
      case 'hangup':
        return refuse(s, input.id, 'noVoiceCall', 'the session is over');
      case 'recovered':
        // The outbox found the callback that was out, and delivers it.
        return to({ ...s, callbackOut: false });
      case 'voiceArrived':
        // The receiver answers a caller as a call of its own; a caller never ends in silence.
        return ignore(s, input, 'the session is over');
      case 'timer':
        return ignore(s, input, 'not running');
      default:
        return ignore(s, input, 'the session is over');
    }
  },
};

/** Answer of a session without a call to commands, and to any other input that comes too early or too late. */
function early(s: AlarmSession, input: SessionInput): SessionStep {
  if (input.type === 'command' || input.type === 'hangup') {
    const mayCome = s.first === null || s.offer.voice;
    const reason = mayCome
      ? 'there is no voice call yet'
      : 'the alarm came without speech: it has no voice call';
    return refuse(s, input.id, 'noVoiceCall', reason);
  }
  return ignore(s, input, 'not expected here');
}

// Events

function store(s: AlarmSession, input: Extract<SessionInput, { type: 'event' }>): SessionStep {
  const { ordinal, kind, event, source } = input;
  const entry: SessionEvent = { ordinal, kind, event, source };
  const opens = s.first === null;
  return to(
    { ...s, ...(opens && { first: entry, offer: input.offer }), pending: [...s.pending, entry] },
    { type: 'store', ...entry },
    // It has more to say before it hangs up.
    ...(s.state === 'clearing'
      ? [{ type: 'startTimer', timer: 'clearDown', ms: s.setting.clearDownWaitMs } as const]
      : []),
  );
}

function durable(s: AlarmSession, ordinal: number): SessionStep {
  const entry = s.pending.find((event) => event.ordinal === ordinal);
  if (entry === undefined)
    return to(s, { type: 'trace', text: `event ${ordinal} is not waiting to be stored` });
  const rest: AlarmSession = { ...s, pending: s.pending.filter((event) => event !== entry) };
  const isDurable: SessionEffect = { type: 'durable', ordinal };
  if (s.state === 'storing' && entry.ordinal === s.first?.ordinal && entry.kind !== 'cleared') {
    const timeoutMs = s.setting.callbackTimeoutMs;
    return to(
      { ...rest, state: 'asking', callbackOut: true },
      isDurable,
      { type: 'liveCallback', timeoutMs, ...entry },
      { type: 'startTimer', timer: 'callback', ms: timeoutMs },
    );
  }
  const deliver: SessionEffect = { type: 'recordCallback', late: false, ...entry };
  const withdrawn = entry.kind === 'cleared' && BEFORE_CALL.includes(s.state);
  if (!withdrawn) return to(rest, isDurable, deliver);
  return s.voiceHere ? dismiss(rest, isDurable, deliver) : finish(rest, 'cleared', isDurable, deliver);
}

/**
 * Withdrawn in another conversation: the call is not waited for any more. A withdrawal by message does no more: before
 * the device has its answer it would ask again, and a session that is over would be a second alarm; and people who
 * speak with the device go on. After one in a new call the old call is over: no destination is called into it any more,
 * and people who speak there are released as after any clear-down, which a unit that is there after all hears.
 */
function elsewhere(s: AlarmSession, input: SessionInput & { type: 'withdrawn' }): SessionStep {
  const taken: SessionEffect = { type: 'trace', text: 'its unit has taken the alarm back' };
  if (s.state === 'waitingCall') return finish(s, 'cleared', taken);
  if (input.by === 'message') return ignore(s, input, 'a withdrawal ends what waits for a call');
  if (s.state === 'asking' || s.state === 'decided') return dismiss(s, taken);
  if (s.state === 'inCall') return clear(s, taken, { type: 'deviceCommand', command: 'clearDown' });
  return ignore(s, input, 'nothing of it waits or runs');
}

/** The device has said so in its call: it hears its acknowledge there, and that nothing more is wanted of it. */
function dismiss(s: AlarmSession, ...effects: readonly SessionEffect[]): SessionStep {
  const decision = { kind: 'noVoice' } as const;
  return to({ ...s, state: 'decided', decision }, ...effects, { type: 'decide', decision });
}

const BEFORE_CALL: readonly SessionState[] = ['storing', 'asking', 'decided', 'waitingCall'];

function notDurable(s: AlarmSession, ordinal: number, reason: string): SessionStep {
  const entry = s.pending.find((event) => event.ordinal === ordinal);
  if (entry === undefined)
    return to(s, { type: 'trace', text: `event ${ordinal} is not waiting to be stored` });
  const rest: AlarmSession = { ...s, pending: s.pending.filter((event) => event !== entry) };
  const effects: readonly SessionEffect[] = [
    { type: 'abandon', ordinal, reason },
    {
      type: 'raise',
      alarm: {
        type: 'serviceAlarm',
        error: 'storeFailed',
        reason: `an alarm event could not be stored and was not acknowledged: ${reason}`,
        detail: { controllerId: entry.event.controllerId, deviceId: entry.event.deviceId ?? null },
      },
    },
  ];
  return s.state === 'storing' && ordinal === s.first?.ordinal
    ? finish(rest, 'notStored', ...effects)
    : to(rest, ...effects);
}

// Callbacks that end late, restarts

/** The live callback that was out when the device took its alarm back. Undefined: the input is about something else. */
function afterwards(
  s: AlarmSession,
  input: Extract<SessionInput, { type: 'callbackAnswered' | 'callbackFailed' | 'timer' }>,
): SessionStep | undefined {
  if (input.type === 'callbackAnswered')
    return to(
      { ...s, callbackOut: false },
      { type: 'stopTimer', timer: 'callback' },
      { type: 'trace', text: 'the application answered after the end' },
    );
  // Its live chance is over in every state of the session.
  if (input.type === 'callbackFailed') return lateRecord(s, input.reason);
  return input.timer === 'callback'
    ? lateRecord(s, `no answer within ${s.setting.callbackTimeoutMs} ms`)
    : undefined;
}

function lateRecord(s: AlarmSession, reason: string): SessionStep {
  const queue: readonly SessionEffect[] =
    s.first === null ? [] : [{ type: 'recordCallback', late: true, ...s.first }];
  return to(
    { ...s, callbackOut: false },
    { type: 'stopTimer', timer: 'callback' },
    { type: 'raise', alarm: { type: 'callbackFailed', reason } },
    ...queue,
  );
}

/** The answer of the application was lost with the process: the event goes out as a record, the fallback acts. */
function onRestart(s: AlarmSession): SessionStep {
  if (s.first?.kind === 'cleared') {
    // It is not known whether the device has its answer: its repeat gets the answer, and is no second event.
    return finish(
      s,
      'cleared',
      { type: 'recordCallback', late: true, ...s.first },
      { type: 'decide', decision: { kind: 'noVoice' } },
    );
  }
  return onFailure(s, 'the appliance restarted before the application had answered');
}

const interrupted = (s: AlarmSession): SessionStep => finish(s, 'interrupted', callLost(RESTARTED));

const RESTARTED = 'the appliance restarted while the device was in a call';
/** The people who spoke with it know only that it is quiet, and the alarm is not cleared. */
const BROKE_OFF = 'the call of the device broke off: nobody has hung up, and it answers no more';

const callLost = (reason: string): SessionEffect => ({
  type: 'raise',
  alarm: { type: 'serviceAlarm', error: 'callLost', reason },
});

const ignore = (s: AlarmSession, input: SessionInput, why: string): SessionStep =>
  to(s, { type: 'trace', text: `${input.type} ignored in ${s.state}: ${why}` });
