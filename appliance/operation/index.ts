/** Public face of the runtime operations: one function each, whatever door they came through. */
export { type AccessPorts, admit, type BearerCrypto, type KnownAccess } from './access.ts';
export { deviceCommand, hangupAlarmCall, type OperationPorts, type RunningAlarms } from './alarm-call.ts';
export {
  type AnswerOperation,
  answerOperation,
  type DoorPorts,
  type OperationAnswer,
  type OperationRequest,
} from './door.ts';
export { type OperationFailure, statusOf } from './failure.ts';
