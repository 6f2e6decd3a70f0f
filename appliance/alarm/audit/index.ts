/** Public face of audit recordings of alarms. */
export { AuditDesk } from './audit-desk.ts';
