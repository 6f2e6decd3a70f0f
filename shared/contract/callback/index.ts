export {
  type AlarmQueued,
  type AlarmSendFailure,
  type AlarmSent,
  alarmQueuedSchema,
  alarmSendFailureSchema,
  alarmSentSchema,
} from './alarm-sent.ts';
export { type AuditRecordingReady, auditRecordingReadySchema } from './audit-recording.ts';
export { CALLBACK_PATH, DELIVERY_HEADER } from './delivery-header.ts';
export { type EmergencyProgress, emergencyProgressSchema } from './emergency-progress.ts';
export {
  ASK,
  type AskedIvrCommand,
  commandListFault,
  type DtmfInput,
  type DtmfParams,
  type EnqueueCommand,
  type GetIvrCommand,
  getIvrCommandSchema,
  ivrAnswerSchema,
  ivrCommandSchema,
  type MediaPhrase,
  phrasesSchema,
} from './ivr-command.ts';
export { MEDIA_ALARM_ERRORS, type MediaAlarmType } from './media-alarm.ts';
export {
  type CallAnswered,
  type CallDecision,
  type CallEvent,
  type CallNotify,
  callAnsweredSchema,
  callDecisionSchema,
  callEventSchema,
  callNotifySchema,
  dialFields,
  MEDIA_ACTIONS,
  type MediaAction,
  type MediaRecordingReady,
  mediaRecordingReadySchema,
  type NewCall,
  newCallSchema,
  type SessionCompleted,
  sessionCompletedSchema,
} from './media-call.ts';
export { headersNotSentField, sessionReferenceField } from './media-field.ts';
export {
  ALARM_ACTIONS,
  type AlarmAction,
  type AlarmDecision,
  alarmDecisionSchema,
  type NewAlarmbridgeEvent,
  newAlarmbridgeEventSchema,
} from './new-alarmbridge-event.ts';
export {
  type PlatformAlarm,
  type PlatformAlarmType,
  platformAlarmSchema,
  SERVICE_ALARM_ERRORS,
  type ServiceAlarmError,
} from './platform-alarm.ts';
export {
  MEDIA_STREAM_EVENTS,
  type MediaStreamEvent,
  mediaStreamEventSchema,
  type ProgramStream,
  programStreamFault,
  programStreamSchema,
  STREAM_CHANNELS,
} from './program-stream.ts';
export { receivedAlarmEventSchema } from './received-event.ts';
export {
  fileTargetSchema,
  newRecordingCallSchema,
  RECORDING_EVENTS,
  type RecordingDecision,
  type RecordingEvent,
  recordingDecisionSchema,
  type StreamTarget,
  streamTargetFault,
  streamTargetSchema,
} from './recording-session.ts';
export {
  type RecordingLine,
  recordingLineSchema,
  recordingTranscriptSchema,
} from './recording-transcript.ts';
export {
  callFailedSchema,
  callHungupSchema,
  farEndFields,
  type NewRemoteCall,
  newRemoteCallSchema,
  type RemoteCrypto,
  remoteCallNotedSchema,
  remoteCryptoSchema,
} from './remote-call.ts';
export {
  authErrorEventSchema,
  type SipMessageReceived,
  sipMessageEventSchema,
  sipMessageReceivedSchema,
} from './sip-message.ts';
export { type SpeechInput, type SpeechParams, speechParamsSchema } from './speech-input.ts';
