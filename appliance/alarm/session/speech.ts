import { type AlarmSession, finish, type SessionStep, to } from './alarm-session.ts';
import type { SessionEffect, SessionInput } from './session-input.ts';
import { directionOf } from './setting.ts';

/* From the answer to the end of the call. */

/** The device has its answer: who calls now? */
export function onAnswered(
  session: AlarmSession,
  { voice }: Extract<SessionInput, { type: 'answered' }>,
): SessionStep {
  const answered = { ...session, answered: voice };
  if (voice === 'none' || voice === 'refused') {
    // A tone device is still in its call: cleared when its alarm is dealt with, else left to try its next receiver.
    // Its people have not accepted yet: it waits in its call, as a device with speech does.
    if (session.voiceHere && voice === 'none') {
      if (session.list !== undefined && session.list.phase !== 'ended') return join(answered);
      return clear(answered, { type: 'deviceCommand', command: 'clearDown' });
    }
    if (session.voiceHere) return finish(answered, 'notHandled', { type: 'hangUp' });
    return finish(answered, voice === 'none' ? 'handled' : 'notHandled');
  }
  const { decision, setting } = session;
  if (session.voiceHere) return join(answered);
  if (voice === 'deviceCalls') {
    return to(
      { ...answered, state: 'waitingCall' },
      { type: 'startTimer', timer: 'voice', ms: setting.voiceWaitMs },
    );
  }
  const minutes = decision?.kind === 'callback' ? decision.minutes : 1;
  return to(
    { ...answered, state: 'waitingCall' },
    { type: 'startTimer', timer: 'voice', ms: minutes * 60_000 },
    { type: 'callDevice', destination: setting.deviceDestination },
  );
}

/**
 * `Chosen:` a call has at least this time after a restart. A device repeats an INVITE without an answer after at most 16 s and
 * gives it up after 32 (RFC 3261 17.1.1.2, timer B), and a device that had no connection makes one in that time.
 */
const AFTER_RESTART_MS = 32_000;

/**
 * The wait goes on where the restart has cut it. With all of its time at each start, an appliance that is started again and
 * again would never report that no call came. The alarm began before the wait did, so that never less is left than was; a wall
 * clock that jumped gives neither less than the least nor more than all of it.
 */
export function waitAgain(
  session: AlarmSession,
  { at, ageMs }: Extract<SessionInput, { type: 'recovered' }>,
): SessionStep {
  const { state, effects } = onAnswered(session, {
    type: 'answered',
    at,
    voice: session.answered ?? 'deviceCalls',
  });
  const leftOf = (ms: number): number =>
    Math.min(ms, Math.max(AFTER_RESTART_MS, session.setting.callbackTimeoutMs + ms - ageMs));
  return {
    state,
    effects: effects.map((effect) =>
      effect.type === 'startTimer' && effect.timer === 'voice'
        ? { ...effect, ms: leftOf(effect.ms) }
        : effect,
    ),
  };
}

/** The device's call, or the answer to ours, is here. */
export function join(session: AlarmSession): SessionStep {
  const { decision, setting } = session;
  const destination =
    decision?.kind === 'emergency' || decision?.kind === 'callback' ? decision.destination : null;
  const effects: SessionEffect[] = [
    { type: 'stopTimer', timer: 'voice' },
    { type: 'stopTimer', timer: 'redial' },
    { type: 'join', destination, direction: directionOf(setting) },
    { type: 'startTimer', timer: 'maxDuration', ms: setting.maxSessionDurationS * 1000 },
  ];
  if (setting.enforceSpeakListen !== 'no') {
    effects.push({ type: 'deviceCommand', command: setting.enforceSpeakListen });
  } else if (isHeld(session)) effects.push({ type: 'deviceCommand', command: 'speak' });
  if (setting.keepAliveMs > 0)
    effects.push({ type: 'startTimer', timer: 'keepAlive', ms: setting.keepAliveMs });
  return to({ ...session, state: 'inCall', voiceHere: true }, ...effects);
}

/** Its people are still called: the device hears a calm prompt meanwhile. */
const isHeld = ({ list, setting }: AlarmSession): boolean =>
  (list?.phase === 'calling' || list?.phase === 'pausing' || list?.phase === 'queued') &&
  setting.controlCommandsEnabled;

export const redial = (session: AlarmSession): SessionStep =>
  to(session, { type: 'callDevice', destination: session.setting.deviceDestination });

/** Our call failed: again after a while, as long as the device still answers by itself. */
export const redialLater = (session: AlarmSession, reason: string): SessionStep =>
  to(
    session,
    { type: 'trace', text: `our call to the device failed: ${reason}` },
    { type: 'startTimer', timer: 'redial', ms: session.setting.redialMs },
  );

export const voiceMissing = (session: AlarmSession): SessionStep =>
  session.voiceElsewhere === true
    ? finish(session, 'handled', { type: 'trace', text: 'the device speaks in another session of its alarm' })
    : finish(session, 'voiceMissing', {
        type: 'raise',
        alarm: {
          type: 'serviceAlarm',
          error: 'voiceCallMissing',
          reason: 'the device was told to speak, but no voice call came',
        },
      });

/** Clear-down first, so that the device does not call again; then it hangs up, or we do. */
export const clear = (session: AlarmSession, ...effects: readonly SessionEffect[]): SessionStep =>
  to(
    { ...session, state: 'clearing' },
    { type: 'stopTimer', timer: 'maxDuration' },
    { type: 'stopTimer', timer: 'keepAlive' },
    ...effects,
    { type: 'startTimer', timer: 'clearDown', ms: session.setting.clearDownWaitMs },
  );

/** The application has dealt with the alarm; of a scheme the units that wait behind this one come first. */
export const hangUpCleared = (session: AlarmSession, id: string): SessionStep =>
  clear(session, { type: 'deviceCommand', id, command: 'clearDown', ends: true });

/**
 * People left the call. A destination that had not answered, or whose call broke off, has finished nothing: it is
 * called again, and `voiceUnreached` follows when that is in vain.
 */
export function centreLeft(
  session: AlarmSession,
  { isCutOff }: Extract<SessionInput, { type: 'voiceEnded' }>,
): SessionStep {
  if (isCutOff === true)
    return to(
      { ...session, isReached: false },
      { type: 'trace', text: 'the call of the centre broke off: it is called again' },
    );
  if (session.isReached !== true) return unreached(session, 'nobody had answered');
  if (session.setting.arcDisconnectClearsCall)
    return clear(session, { type: 'deviceCommand', command: 'clearDown' });
  return to(
    { ...session, arcGone: true },
    { type: 'trace', text: 'centre left, hangupalarmcall must follow' },
  );
}

/** The longest session is over. Chosen: people who still speak have had their time, and the device is cleared. */
export function tooLong(session: AlarmSession): SessionStep {
  const { isReached, arcGone, setting } = session;
  const within = `within ${setting.maxSessionDurationS} s (maxSessionDuration)`;
  if (isReached !== true) return unreached(session, `nobody answered ${within}`);
  if (!arcGone) return clear(session, { type: 'deviceCommand', command: 'clearDown' });
  const reason = `the centre hung up, and hangupalarmcall did not follow ${within}: nobody has cleared the alarm`;
  return finish(
    session,
    'interrupted',
    { type: 'raise', alarm: { type: 'serviceAlarm', error: 'callLost', reason } },
    { type: 'hangUp' },
  );
}

/** A person waits for help without speech: another person must know at once, and the device dials on by itself. */
export function unreached(session: AlarmSession, said: string, called?: string): SessionStep {
  const { decision, setting } = session;
  const isNamed = decision?.kind === 'emergency' || decision?.kind === 'callback';
  const destination = called ?? (isNamed ? decision.destination : setting.emergencyDestination);
  const reason = `${said}; the device was hung up without clear-down, so that it dials on by itself`;
  const detail = { destination: destination ?? null };
  return finish(
    session,
    'unreached',
    { type: 'raise', alarm: { type: 'serviceAlarm', error: 'destinationUnreached', reason, detail } },
    { type: 'hangUp' },
  );
}

/**
 * A command of the application. Chosen: clear-down ends a call as hangupalarmcall does, in every protocol: the clear command where
 * the protocol has one, then the device hangs up within `clearDownWaitMs` or is hung up. A call that stays up after its clear-down
 * would keep the device silent and its line busy.
 */
export function onCommand(
  session: AlarmSession,
  { id, command, parameters }: Extract<SessionInput, { type: 'command' }>,
): SessionStep {
  if (!session.setting.controlCommandsEnabled) {
    return refuse(
      session,
      id,
      'controlCommandsDisabled',
      'controlCommandsEnabled is false for this destination',
    );
  }
  if (command === 'clearDown') return hangUpCleared(session, id);
  return to(session, { type: 'deviceCommand', id, command, ...(parameters && { parameters }) });
}

export const refuse = (
  session: AlarmSession,
  id: string,
  code: Extract<SessionEffect, { type: 'commandRefused' }>['code'],
  reason: string,
): SessionStep => to(session, { type: 'commandRefused', id, code, reason });
