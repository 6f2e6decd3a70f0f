export { type AuditRun, type AuditVerdict, verifyAudit } from './audit-verify.ts';
