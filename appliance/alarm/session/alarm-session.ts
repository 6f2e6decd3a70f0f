import { type EmergencyList, restore as restoreList } from '../emergency-list/index.ts';
import type { AnsweredVoice, Decision, VoiceOffer } from '../protocol/index.ts';
import type { SessionEffect, SessionEvent, SessionOutcome } from './session-input.ts';
import { SESSION_SETTING, type SessionSetting } from './setting.ts';

export type SessionState =
  | 'storing'
  | 'asking'
  | 'decided'
  | 'waitingCall'
  | 'inCall'
  | 'clearing'
  | 'closed';

/** One alarm from its first event to its end. Plain JSON: it can be stored as it is. */
export interface AlarmSession {
  readonly version: 1;
  readonly state: SessionState;
  /** In force since the session began, whatever is provisioned meanwhile. */
  readonly setting: SessionSetting;
  readonly first: SessionEvent | null;
  readonly offer: VoiceOffer;
  /** Events on their way to the disk. */
  readonly pending: readonly SessionEvent[];
  /** The live callback is on its way. */
  readonly callbackOut: boolean;
  readonly decision: Decision | null;
  /** The side that places the voice call; null until the device has its answer. */
  readonly answered: AnsweredVoice | null;
  /** The device's call is here although it may not be joined yet. */
  readonly voiceHere: boolean;
  /** People have answered the device, and their call has not broken off since. Absent: an earlier version wrote it. */
  readonly isReached?: boolean;
  /** Another session of the same alarm has its call. Absent as long as none has. */
  readonly voiceElsewhere?: true;
  /** The centre has left the call while clear-down is left to hangupalarmcall. */
  readonly arcGone: boolean;
  readonly outcome: SessionOutcome | null;
  /** The people who are called for it. Absent: its destination is one string, or an earlier version wrote it. */
  readonly list?: EmergencyList;
  /** The control plane takes what no person has answered; false: it cannot be reached. Absent: there is none. */
  readonly alarmQueue?: boolean;
  /** The device has left its call while people are called for it. */
  readonly isDeviceGone?: true;
}

export interface SessionStep {
  readonly state: AlarmSession;
  readonly effects: readonly SessionEffect[];
}

/** A session that has seen nothing yet; what `setting` leaves out is as in `SESSION_SETTING`. */
export function initial(setting: Partial<SessionSetting> = {}): AlarmSession {
  return {
    version: 1,
    state: 'storing',
    setting: Object.freeze({ ...SESSION_SETTING, ...setting }),
    first: null,
    offer: { voice: false },
    pending: [],
    callbackOut: false,
    decision: null,
    answered: null,
    voiceHere: false,
    isReached: false,
    arcGone: false,
    outcome: null,
  };
}

/** The session with the news whether the alarm queue of the control plane can be reached; undefined: this host has none. */
export const withAlarmQueue = (session: AlarmSession, isThere: boolean | undefined): AlarmSession =>
  isThere === undefined || session.alarmQueue === isThere ? session : { ...session, alarmQueue: isThere };

/** The alarm waits in the alarm queue, and no call is made or up: it is on the disk, and waits on after a start. */
export const isWaitingOnly = ({ list, voiceHere }: AlarmSession): boolean =>
  list?.phase === 'queued' && list.attempts.length === 0 && !voiceHere;

/** The session as plain JSON. Events on their way to the disk are not part of it: they were never promised. */
export const snapshot = (session: AlarmSession): AlarmSession => ({ ...session, pending: [] });

/** A stored session; give it `recovered` first. undefined: written by a version that is not understood. */
export function restore(stored: AlarmSession): AlarmSession | undefined {
  if (stored.version !== 1) return undefined;
  const { list, ...rest } = stored;
  // A list that a later version wrote is not understood: the destination beside it is called.
  const known = list && restoreList(list);
  return { ...rest, pending: [], ...(known && { list: known }) };
}

export const to = (state: AlarmSession, ...effects: readonly SessionEffect[]): SessionStep => ({
  state,
  effects,
});

/**
 * Ends the session: every timer stops, and `end` is the last effect. Only a live callback that is still out is waited
 * for: when it is not taken, the event has to go out as a record.
 */
export function finish(
  session: AlarmSession,
  outcome: SessionOutcome,
  ...effects: readonly SessionEffect[]
): SessionStep {
  return to(
    { ...session, state: 'closed', outcome, voiceHere: false },
    ...effects,
    ...TIMERS.filter((timer) => timer !== 'callback' || !session.callbackOut).map(
      (timer): SessionEffect => ({ type: 'stopTimer', timer }),
    ),
    { type: 'end', outcome },
  );
}

const TIMERS = ['callback', 'voice', 'redial', 'keepAlive', 'maxDuration', 'clearDown'] as const;
