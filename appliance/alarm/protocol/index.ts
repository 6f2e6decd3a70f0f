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
export { type CarriedBy, type ProtocolEntry, protocolNamed } from './registry.ts';
