export { consoleFiles, consoleIsBuilt } from './built.ts';
export { keepConsole } from './kept.ts';
