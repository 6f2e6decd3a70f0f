export { operatorCommands, stopFor, type Terminal } from './command.ts';
export { findLogin } from './login.ts';
