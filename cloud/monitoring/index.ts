export { type AlarmQueries, createAlarmQueries, shownAlarm } from './alarm/alarm-queries.ts';
export { PlatformAlarmTable } from './alarm/platform-alarm-table.ts';
export { LEADER_SHARD, type MonitoringPort, type OwnedShards } from './alarm/port.ts';
export { SharedPlatformAlarms } from './alarm/shared-platform-alarms.ts';
export { createStorageDamageWatch } from './alarm/storage-damage.ts';
export { type BrokerChecks, createBrokerChecks, EMBEDDED_HOSTS, TOO_MANY_HOSTS } from './broker-checks.ts';
export { createBrokerWatch } from './broker-watch.ts';
export { createMonitoring, type Monitoring } from './monitoring.ts';
export { lossesOf } from './presence/flap.ts';
export {
  deadlineOf,
  initialPresence,
  type Presence,
  type PresenceInput,
  stepPresence,
} from './presence/presence.ts';
export type { Connectivity } from './presence/watch.ts';
export { createLogQueries, type LogQueries } from './usage/log-queries.ts';
export { shardFamilies } from './usage/meter.ts';
export { createUsageQueries, type UsageQueries } from './usage/usage-queries.ts';
