export {
  type Damage,
  type DamageReports,
  journalDamage,
  openDamageReports,
  recordDamage,
  recordingDamage,
  replicaDamage,
} from './damage-reports.ts';
export { GracefulStop } from './graceful-stop.ts';
export { HealthCheck, listenerQuestions } from './health-check.ts';
export { HostConditions } from './host-conditions.ts';
export { type HostStanding, hostStanding, rowsLeft } from './host-standing.ts';
export { judgeMachine, syncedWrites } from './machine-readings.ts';
export { watchMediaLoad } from './media-load.ts';
export { overrideEffect } from './override-effect.ts';
export { ownServices } from './own-services.ts';
export { readinessFaults, type StorageInfo } from './readiness.ts';
export { logShown, machineState, networkState, supportBundle } from './technician-report.ts';
