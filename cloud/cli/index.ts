export { type AuditRun, type AuditVerdict, verifyAudit } from './audit-verify.ts';
export { type BackupCommands, backupCommands } from './backup.ts';
export { type BrokerFiles, exportMosquitto } from './broker.ts';
export { checkBroker } from './broker-check.ts';
export { type DatabaseCommands, databaseCommands, type RotatedKey } from './database.ts';
