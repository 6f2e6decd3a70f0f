/** Public face of the runtime contracts: what an application asks of a running alarm (runtime API
 * document 4) or call (media document 4). */
export { releaseAlarmSchema, type TakeAlarmRequest, takeAlarmSchema } from './alarm-queue.ts';
export {
  ALARM_STREAM_SCHEMAS,
  type AlarmStreamTarget,
  alarmStreamStartedSchema,
} from './alarm-stream.ts';
export {
  type DeviceCommandRequest,
  deviceCommandSchema,
  type HangupAlarmCallRequest,
  hangupAlarmCallSchema,
} from './device-command.ts';
export {
  HANDSHAKE_KINDS,
  type HandshakeEntry,
  type HandshakeQuery,
  handshakeAnswerSchema,
  handshakeQuerySchema,
} from './handshake.ts';
export { type HandshakeCounts, type HandshakeOffer, handshakeOffers } from './handshake-offer.ts';
export {
  MEDIA_OPERATION_SCHEMAS,
  MEDIA_OPERATIONS,
  type MediaOperation,
  type MediaRequest,
  mediaOperationAnswerSchema,
  type PlaceIvrCall,
} from './media-call.ts';
export {
  type MediaQueueAsk,
  type MediaQueueEntry,
  mediaQueueEntrySchema,
  mediaQueueListSchema,
  mediaQueueQuerySchema,
} from './media-queue.ts';
export {
  type MediaSessionAsk,
  type MediaSessionEntry,
  type MediaSessionView,
  mediaSessionAnswerSchema,
  mediaSessionAskSchema,
  mediaSessionEntrySchema,
  mediaSessionListSchema,
  mediaSessionQuerySchema,
} from './media-session.ts';
export {
  PROMPT_BYTES,
  PROMPT_FILE,
  PROMPT_SECONDS,
  PROMPT_TYPES,
  type PromptFileMove,
  type PromptFormat,
  promptFileChangedSchema,
  promptFileListSchema,
  promptFileMoveSchema,
  promptFileNameField,
  promptFileUrlSchema,
  type ReplicatedPromptFile,
  replicatedPromptFileSchema,
} from './prompt-file.ts';
export {
  RECORDING_COMMAND_SCHEMAS,
  RECORDING_COMMANDS,
  type RecordingCommand,
  type RecordingRequest,
} from './recording-command.ts';
export {
  IN_CALL_WAIT_MS,
  operationAt,
  operationBase,
  operationWord,
  QUEUES,
  READING_OPERATIONS,
  RELAY_BODY_BYTES,
  RELAY_WAIT_MS,
  type RelayAnswer,
  type RelayRequest,
  RUNTIME_OPERATIONS,
  type RuntimeOperation,
  relayAnswerSchema,
  relayRequestSchema,
  replyIssuerSchema,
  SESSIONS,
} from './relay.ts';
export {
  REMOTE_CALL_OPERATIONS,
  REMOTE_CALL_SCHEMAS,
  type RemoteCallOperation,
  type RemoteCallRequest,
  remoteCallAnswerSchema,
} from './remote-call.ts';
export {
  bs8521IdentityFault,
  type SendAlarmEventAnswer,
  type SendAlarmEventRequest,
  type SentAlarmEvent,
  sendAlarmEventAnswerSchema,
  sendAlarmEventSchema,
} from './send-alarm-event.ts';
export {
  commandAnswerSchema,
  messageCommandSchema,
  type SipMessageRequest,
  sipMessageSchema,
} from './sip-message.ts';
