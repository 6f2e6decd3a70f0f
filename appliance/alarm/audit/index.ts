/** Public face of audit recordings of alarms. */
export { AlarmAudit } from './audit-desk.ts';
