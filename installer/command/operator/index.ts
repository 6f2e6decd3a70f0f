export { operatorCommands, type Terminal } from './command.ts';
export { findLogin } from './login.ts';
