/** Public face of programs that hear calls of alarms. */
export { AlarmStreams } from './alarm-streams.ts';
