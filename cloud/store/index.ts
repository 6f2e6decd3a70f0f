export {
  type Actor,
  type AuditEntry,
  type AuditRow,
  auditAfter,
  auditHead,
  recordAudit,
  verifyAudit,
} from './audit.ts';
export { canonicalJson } from './canonical-json.ts';
export { type Change, type ChangeRow, changesSince, currentRevision, recordChange } from './change.ts';
export type { Connection, DialectName, Handle, Lease, Nesting, StorePort } from './connection.ts';
export { type Migration, migrate } from './migration.ts';
export type { KeyAlgorithm, Role } from './schema/access-tables.ts';
export type { Scope } from './schema/core-tables.ts';
export type { ConfigurationSet } from './schema/provisioning-tables.ts';
export {
  type ChangeListener,
  createStore,
  type Reader,
  type Revision,
  type Store,
  type Tx,
} from './store.ts';
