/** Public face of the runtime operations: one function each, whether the HTTPS listener or the relay took them. */
export { type AccessPorts, admit, type BearerCrypto, type KnownAccess } from './access.ts';
export type { AlarmSender } from './alarm-sender.ts';
export type { OperationFailure } from './failure.ts';
export type { KnownHandshakes } from './handshakes.ts';
export type { MediaGain, RunningCalls } from './media-call.ts';
export type { KnownMediaSessions } from './media-session.ts';
export { monitoringAccess } from './monitoring.ts';
export type { OperationPorts, RunningAlarms, StreamedAlarms } from './operation-port.ts';
export {
  type AnswerOperation,
  answerOperation,
  type OperationAnswer,
  type OperationRequest,
  type OperationRoutePorts,
} from './operation-route.ts';
export { type PersonPorts, UsedStatements } from './person.ts';
export { answerCommand } from './queue-command.ts';
export type { RecordingSessions } from './recording-command.ts';
export type { RemoteCallGain, RemoteCalls } from './remote-call.ts';
export type { MessageSender, OutgoingMessage } from './send-message.ts';
