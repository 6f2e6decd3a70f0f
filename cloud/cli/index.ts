export { type DatabaseCommands, databaseCommands } from './database.ts';
