export { type Log, type LogLevel, openLog } from './log.ts';
export { startTicker } from './ticker.ts';
