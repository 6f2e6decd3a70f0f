export { watchFiles } from './file-watch.ts';
export { type HostMeter, openHostMeter } from './host-meter.ts';
export { inflate } from './inflate.ts';
export { type Log, openLog } from './log.ts';
export { randomPool } from './random-pool.ts';
export { atTimes } from './schedule.ts';
export { startTicker, startTimer } from './ticker.ts';
