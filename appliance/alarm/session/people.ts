import {
  begin,
  beginQueued,
  type EmergencyList,
  type ListEffect,
  type ListInput,
  step as stepList,
} from '../emergency-list/index.ts';
import { type AlarmSession, finish, type SessionStep, to } from './alarm-session.ts';
import type { SessionEffect, SessionInput, SessionOutcome } from './session-input.ts';
import { clear } from './speech.ts';

/*
 * The emergency list of a session: it begins with the decision, goes on while its device comes and goes, and ends the session. A
 * session without a list passes through here unchanged.
 */

/** Outcomes by which an alarm is over for the people who are called, too. After any other one the list goes on. */
const ENDS_LIST: readonly SessionOutcome[] = ['cleared', 'callCleared', 'unanswered', 'notStored'];

/** `Chosen:` a device that has left a person is called for so long, ms; each call of it is a new chance. */
const CALL_BACK_MS = 300_000;

/** Whether people are called, or have the alarm. */
const isCalling = ({ list }: AlarmSession): boolean => list !== undefined && list.phase !== 'ended';

/** An input of the list itself. */
export function onList(session: AlarmSession, { input, at }: SessionInput & { type: 'list' }): SessionStep {
  if (!isCalling(session)) return to(session);
  return stepOfList(session, { ...input, at } as ListInput);
}

/** The timer of the list. */
export const onListTimer = (session: AlarmSession, at: number): SessionStep =>
  isCalling(session) ? stepOfList(session, { type: 'timer', at }) : to(session);

/** Carries a step of the session on to its list. */
export function withList(before: AlarmSession, step: SessionStep, input: SessionInput): SessionStep {
  const begun = step.effects.some(isBegin) ? began(step, input.at) : queueUnanswered(before, step, input.at);
  if (!isCalling(begun.state)) return begun;
  const kept = goesOn(begun);
  if (isOver(before, kept.state)) return stopped(kept, input.at);
  switch (input.type) {
    case 'recovered':
      return before.list === undefined
        ? kept
        : then(kept, { type: 'recovered', at: input.at, ageMs: input.ageMs });
    case 'voiceArrived':
      return kept.state.state === 'inCall'
        ? then(here(kept), { type: 'device', at: input.at, isHere: true })
        : kept;
    case 'voiceEnded':
      return input.by === 'device' && before.voiceHere
        ? callBack(then(kept, { type: 'device', at: input.at, isHere: false }))
        : kept;
    default:
      return kept;
  }
}

/** The application ends an alarm whose device is in no call: the people are the only ones who have it. */
export function endByApplication(session: AlarmSession, id: string, at: number): SessionStep | undefined {
  if (!isCalling(session) || session.voiceHere || session.state !== 'waitingCall') return undefined;
  const ended = stepOfList(session, { type: 'stop', at, reason: 'the application has ended the alarm' });
  const over = finish(ended.state, 'handled');
  return to(over.state, ...ended.effects, { type: 'commandDone', id }, ...over.effects);
}

const isBegin = ({ type }: SessionEffect): boolean => type === 'beginList';

/** Replaces the word of the decision by the first calls. */
function began({ state, effects }: SessionStep, at: number): SessionStep {
  const others = effects.filter((effect) => !isBegin(effect));
  const { callList: plan, arcDisconnectClearsCall } = state.setting;
  if (plan === undefined) return to(state, ...others);
  const { state: list, effects: first } = begin(plan, arcDisconnectClearsCall, at, state.voiceHere);
  return to({ ...state, list }, ...others, ...first.map(carried));
}

/** Outcomes of an alarm without a list that no person has heard. */
const UNANSWERED: readonly SessionOutcome[] = ['notHandled', 'unreached'];

/** No list is there, and no person has answered: the alarm waits in the alarm queue, where there is one. */
function queueUnanswered(before: AlarmSession, step: SessionStep, at: number): SessionStep {
  const { state, effects } = step;
  if (state.list !== undefined || state.alarmQueue !== true || before.state === 'closed') return step;
  if (state.state !== 'closed' || state.outcome === null || !UNANSWERED.includes(state.outcome)) return step;
  const reason = UNANSWERED_REASON[state.outcome] ?? 'no person has answered';
  const { state: list, effects: first } = beginQueued(reason, at, false);
  return to(
    { ...state, state: 'waitingCall', outcome: null, isDeviceGone: true, list },
    ...effects.filter(({ type }) => type !== 'end'),
    ...first.map(carried),
  );
}

const UNANSWERED_REASON: Readonly<Partial<Record<SessionOutcome, string>>> = {
  notHandled: 'no application has decided, and no destination is there',
  unreached: 'its destination was not reached',
};

/** A device that leaves, or needs no call, does not end the alarm of the people who are called for it. */
function goesOn(step: SessionStep): SessionStep {
  const { state, effects } = step;
  if (state.state !== 'closed' || state.outcome === null || ENDS_LIST.includes(state.outcome)) return step;
  const lostDevice = DEVICE_LOST.includes(state.outcome) ? { isDeviceGone: true as const } : {};
  return to(
    { ...state, state: 'waitingCall', outcome: null, ...lostDevice },
    ...effects.filter(({ type }) => type !== 'end'),
    { type: 'trace', text: `the device needs no more (${state.outcome}); people are still called` },
  );
}

const DEVICE_LOST: readonly SessionOutcome[] = ['deviceHungUp', 'interrupted', 'voiceMissing', 'unreached'];

/** The device is cleared, has taken its alarm back, or the session has ended. */
function isOver(before: AlarmSession, { state, decision }: AlarmSession): boolean {
  const isTakenBack =
    decision?.kind === 'noVoice' && before.decision !== null && before.decision !== decision;
  return state === 'clearing' || state === 'closed' || isTakenBack;
}

function stopped({ state, effects }: SessionStep, at: number): SessionStep {
  const stop = stepOfList(state, { type: 'stop', at, reason: 'the alarm is over' });
  const rest = effects.filter(({ type }) => type !== 'end');
  return to(stop.state, ...rest, ...stop.effects, ...effects.filter(({ type }) => type === 'end'));
}

function here({ state, effects }: SessionStep): SessionStep {
  const { isDeviceGone: _, ...rest } = state;
  return to(rest, ...effects);
}

function then(step: SessionStep, input: ListInput): SessionStep {
  const next = stepOfList(step.state, input);
  return to(next.state, ...step.effects, ...next.effects);
}

/** One input of the list, and what its end means for the session. */
function stepOfList(session: AlarmSession, input: ListInput): SessionStep {
  if (session.list === undefined) return to(session);
  const list = withQueue(withDevice(session.list, session.voiceHere), session.alarmQueue);
  const had = list.phase === 'talking';
  const { state, effects } = stepList(list, input);
  const isReached = session.voiceHere && state.phase === 'talking';
  const next = to({ ...session, list: state, isReached }, ...effects.map(carried), ...turned(session, state));
  if (input.type === 'stop') return next;
  const ended = effects.find((effect) => effect.type === 'ended');
  if (ended === undefined && state.isQueued === true && list.isQueued !== true) return queued(next, list);
  if (ended === undefined) return had ? next : callBack(next);
  if (ended.result === 'handled') return handled(next);
  return list.isQueued === true ? endsUntaken(next) : unanswered(next, list);
}

/** Its session knows where the device is, also after a hang-up of ours. */
const withDevice = (list: EmergencyList, isDeviceHere: boolean): EmergencyList =>
  list.isDeviceHere === isDeviceHere ? list : { ...list, isDeviceHere };

/** Its session knows whether the control plane takes what the list leaves. */
const withQueue = (list: EmergencyList, alarmQueue: boolean | undefined): EmergencyList =>
  alarmQueue === undefined || list.alarmQueue === alarmQueue ? list : { ...list, alarmQueue };

/** The direction of speech of a device that is there: it hears the prompt, then it speaks with a person. */
function turned(
  { setting, voiceHere, list }: AlarmSession,
  { phase }: EmergencyList,
): readonly SessionEffect[] {
  const wasTalking = list?.phase === 'talking';
  const isTalking = phase === 'talking';
  if (!voiceHere || wasTalking === isTalking || phase === 'ended') return [];
  if (setting.enforceSpeakListen !== 'no' || !setting.controlCommandsEnabled) return [];
  return [{ type: 'deviceCommand', command: isTalking ? 'switchToDuplex' : 'speak' }];
}

/** A person has the alarm, and its device has left its call: it is called where it can be. */
function callBack(step: SessionStep): SessionStep {
  const { state, effects } = step;
  const { list, isDeviceGone: lostDevice, offer, setting } = state;
  const isWanted = list?.phase === 'talking' && lostDevice === true && offer.voice;
  if (!isWanted || state.state !== 'waitingCall' || state.voiceHere) return step;
  const { isDeviceGone: _, ...rest } = state;
  return to(
    { ...rest, answered: 'weCall' },
    ...effects,
    { type: 'startTimer', timer: 'voice', ms: CALL_BACK_MS },
    { type: 'callDevice', destination: setting.deviceDestination },
  );
}

/** The person who had accepted has cleared the alarm. */
function handled({ state, effects }: SessionStep): SessionStep {
  const ending = state.voiceHere
    ? clear(state, { type: 'deviceCommand', command: 'clearDown' })
    : finish(state, 'handled');
  return to(ending.state, ...effects, ...ending.effects);
}

/**
 * No person of the list has accepted, and the alarm waits in the alarm queue. A device that is there is hung up without
 * clear-down, so that it dials on by itself; the person who takes the alarm has it called back.
 */
function queued(step: SessionStep, list: EmergencyList): SessionStep {
  const { state, effects } = unanswered(step, list);
  return to(
    { ...state, state: 'waitingCall', outcome: null, isDeviceGone: true },
    ...effects.filter(({ type }) => type !== 'end'),
  );
}

/** No person has taken the alarm from the queue in its time. People were notified when it came there. */
function endsUntaken({ state, effects }: SessionStep): SessionStep {
  const over = finish(state, 'unanswered', ...(state.voiceHere ? [{ type: 'hangUp' } as const] : []));
  return to(over.state, ...effects, ...over.effects);
}

/** No person has accepted: a device that is there is hung up without clear-down, so that it dials on by itself. */
function unanswered({ state, effects }: SessionStep, list: EmergencyList): SessionStep {
  const called = list.plan.steps.flat().map(({ destination }) => destination);
  const reason = `none of the ${called.length} destinations of emergencyCallList has accepted the alarm; the device is not cleared, so that it dials on by itself. Call the person now`;
  const detail = {
    destinations: [...new Set(called)].slice(0, 20),
    rounds: list.round + 1,
    severity: 'critical',
  };
  const over = finish(
    state,
    'unanswered',
    { type: 'raise', alarm: { type: 'serviceAlarm', error: 'emergencyUnanswered', reason, detail } },
    ...(state.voiceHere ? [{ type: 'hangUp' } as const] : []),
  );
  return to(over.state, ...effects, ...over.effects);
}

/** An effect of the list in the words of the session. */
function carried(effect: ListEffect): SessionEffect {
  switch (effect.type) {
    case 'wake':
      return { type: 'startTimer', timer: 'list', ms: effect.ms };
    case 'sleep':
      return { type: 'stopTimer', timer: 'list' };
    case 'command':
      return { type: 'deviceCommand', command: effect.command };
    default:
      return { type: 'people', effect };
  }
}
