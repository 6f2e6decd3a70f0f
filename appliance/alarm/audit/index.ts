/** Public face of audit recordings of alarms. */
export { AlarmAudit } from './alarm-audit.ts';
