export { type AlarmDesk, createAlarmDesk, shownAlarm } from './alarm-desk.ts';
export { hostMetric } from './host-metric.ts';
export { createLogDesk, type LogDesk } from './log-desk.ts';
export { createMonitoring, type Monitoring } from './monitoring.ts';
export type { MonitoringPort } from './port.ts';
export { deadlineOf, initialPresence, type Presence, type PresenceInput, stepPresence } from './presence.ts';
export { createUsageDesk, type UsageDesk } from './usage-desk.ts';
export type { Connectivity } from './watch.ts';
