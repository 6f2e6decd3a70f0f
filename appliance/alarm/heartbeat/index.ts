export type {
  HeartbeatEffect,
  HeartbeatRecord,
  HeartbeatStatus,
  Moment,
  SignOfLife,
} from './heartbeat.ts';
export { HEARTBEATS, HeartbeatWatch, PANEL_LINKS, type WatchSetting } from './heartbeat-watch.ts';
