export type {
  AnsweredVoice,
  Decision,
  EventKind,
  EventName,
  ProtocolEvent,
  RaisedAlarm,
  SendFailed,
  SendOnward,
  SendWarning,
  VoiceDirection,
  VoiceOffer,
  VoiceVia,
} from './face.ts';
