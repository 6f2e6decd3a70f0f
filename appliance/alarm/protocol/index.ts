export type {
  AnsweredVoice,
  Decision,
  EventKind,
  ProtocolEvent,
  RaisedAlarm,
  SendFailed,
  SendOnward,
  SendWarning,
  VoiceDirection,
  VoiceOffer,
  VoiceVia,
} from './face.ts';
