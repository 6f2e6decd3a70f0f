export { type CaptureOperationPorts, captureOperations } from './capture-operation.ts';
export { copyOperations } from './copy-operation.ts';
export { historyOperations } from './history-operation.ts';
export { type MachineSender, machineOperations } from './machine-operation.ts';
export { type KnownOperations, OperationTable } from './operation-table.ts';
export { outboxOperations } from './outbox-operation.ts';
export { recordingOperations } from './recording-operation.ts';
export { registrationOperations } from './registration-operation.ts';
export { serviceOperations } from './service-operation.ts';
