export type {
  AnsweredVoice,
  Decision,
  EventKind,
  ProtocolEvent,
  RaisedAlarm,
  VoiceDirection,
  VoiceOffer,
} from '../protocol/index.ts';
export {
  type AlarmSession,
  initial,
  isWaitingOnly,
  restore,
  type SessionState,
  type SessionStep,
  snapshot,
  withAlarmQueue,
} from './alarm-session.ts';
export type {
  CommandParameters,
  PeopleEffect,
  SessionEffect,
  SessionEvent,
  SessionInput,
  SessionOutcome,
  SessionTimer,
  TimelessListInput,
  VoiceEffect,
} from './session-input.ts';
export { SESSION_SETTING, type SessionSetting } from './setting.ts';
export { step } from './step.ts';
