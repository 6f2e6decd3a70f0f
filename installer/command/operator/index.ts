export { operatorCommands, stopFor } from './command.ts';
export { eventsIn } from './event-stream.ts';
export { findLogin, type Login } from './login.ts';
export { RECORD_OPERATIONS } from './record-table.ts';
export type { Terminal } from './terminal.ts';
