export { hostFacts } from './host-facts.ts';
export { type Log, type LogLevel, openLog } from './log.ts';
export { randomPool } from './random-pool.ts';
export { startTicker, startTimer } from './ticker.ts';
