export { watchFiles } from './file-watch.ts';
export { type HostMeter, openHostMeter } from './host-meter.ts';
export { inflate } from './inflate.ts';
export { type Log, openLog } from './log.ts';
export { readClockSync, readDisk, readMemory } from './machine-reading.ts';
export { randomPool } from './random-pool.ts';
export { atTimes } from './schedule.ts';
export { probeSip, type SipListener } from './sip-probe.ts';
export { startTicker, startTimer } from './ticker.ts';
