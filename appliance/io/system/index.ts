export { BALLAST_BYTES, type Ballast, openBallast } from './ballast.ts';
export { openBootClock } from './boot-clock.ts';
export { keepBootNotes, readBootNotes } from './boot-notes.ts';
export { keepLastGood, readLastGood, setClock } from './clock-file.ts';
export { DeadlineTimer } from './deadline-timer.ts';
export { watchFiles } from './file-watch.ts';
export { type HostMeter, openHostMeter } from './host-meter.ts';
export { deflate, inflate } from './inflate.ts';
export { isOwnAddress, probeHttps, probeStream } from './listener-probe.ts';
export { type Log, type LogLevel, openLog } from './log.ts';
export {
  freeBytesOf,
  readClockSync,
  readDisk,
  readMemory,
  readSerial,
  readTemperature,
  readTimeServer,
} from './machine-reading.ts';
export { startTimer } from './one-timer.ts';
export { openProcessMeter } from './process-meter.ts';
export { openProcessorMeter } from './processor-reading.ts';
export { keptLog, type RecentLog } from './recent-log.ts';
export {
  beginReleaseRequest,
  dropReleaseRequest,
  isReleaseWanted,
  layBefore,
  requestFolder,
  wantNetwork,
  wantRelease,
} from './release-request.ts';
export { atTimes } from './schedule.ts';
export { probeSip, type SipListener } from './sip-probe.ts';
export { beginWipe, wipeBegun, wipeIdentity, wipeState } from './wipe.ts';
