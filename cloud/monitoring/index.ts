export { createMonitoring, type Monitoring } from './monitoring.ts';
export type { MonitoringPort } from './port.ts';
export { deadlineOf, initialPresence, type Presence, type PresenceInput, stepPresence } from './presence.ts';
export { type Connectivity, Watch, type WatchEvents, type Watched } from './watch.ts';
