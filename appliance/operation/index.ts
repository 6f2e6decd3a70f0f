/** Public face of the runtime operations: one function each, whatever door they came through. */
export { deviceCommand, hangupAlarmCall, type OperationPorts, type RunningAlarms } from './alarm-call.ts';
export { type OperationFailure, statusOf } from './failure.ts';
