export type {
  HeartbeatEffect,
  HeartbeatRecord,
  HeartbeatStatus,
  Moment,
  SignOfLife,
} from './heartbeat.ts';
export { CHECK_MS, HeartbeatWatch } from './heartbeat-watch.ts';
