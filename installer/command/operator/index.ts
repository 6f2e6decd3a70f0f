export { operatorCommands, type Terminal } from './command.ts';
