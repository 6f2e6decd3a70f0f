export { operatorCommands, stopFor } from './command.ts';
export { findLogin } from './login.ts';
export type { Terminal } from './terminal.ts';
