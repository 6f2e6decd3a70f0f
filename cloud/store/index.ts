export {
  type ApiKeyRow,
  type ApiTokenRow,
  apiKeysByKid,
  apiTokenByHash,
  deleteApiKey,
  deleteApiToken,
  ensurePerson,
  insertApiKey,
  insertApiToken,
  listApiKeys,
  listApiTokens,
  type PersonRow,
  readApiKey,
  readApiToken,
} from './access.ts';
export {
  type Actor,
  type AuditEntry,
  type AuditPlace,
  type AuditRow,
  auditAfter,
  auditAnchor,
  auditBefore,
  auditHead,
  auditOfHost,
  auditOlderThan,
  deleteAuditBehindAnchor,
  moveAuditAnchor,
  recordAudit,
  verifyAudit,
} from './audit.ts';
export {
  type BulkJobRow,
  bulkJobsAfter,
  putBulkJob,
  readBulkJob,
  startedBulkJobs,
  updateBulkJob,
} from './bulk-job.ts';
export {
  type Change,
  type ChangePlace,
  type ChangeRow,
  changeAt,
  changeHashesBehind,
  changesBehind,
  changesSince,
  currentRevision,
  recordChange,
  recordChanges,
} from './change.ts';
export {
  type Compacted,
  compactChanges,
  lastRevisionBefore,
  type ScopeRevision,
  scopesAfter,
} from './change-compaction.ts';
export { checkDatabase, type DatabaseReport } from './check.ts';
export {
  type ConfigKeyRow,
  configKeysOf,
  configKeyWraps,
  deleteConfigKeys,
  insertConfigKey,
  newestConfigKey,
  putConfigKeyWrap,
  readConfigKeyWrap,
  tenantsWithConfigKey,
  tenantsWithLostKey,
} from './config-key.ts';
export {
  allItems,
  deleteItems,
  hasItems,
  type ItemRow,
  type ItemSet,
  type ItemTable,
  listItems,
  putItem,
  readItem,
} from './configuration-item.ts';
export { type CopiedTable, type CopyEnd, copyDatabase } from './copy.ts';
export {
  allDevices,
  countDevices,
  type DeviceHeartbeat,
  type DeviceRow,
  type DeviceWithHeartbeat,
  deleteAllDevices,
  deleteDevice,
  putDevice,
  putDevices,
  readDevice,
  readDeviceBodies,
  setDeviceHeartbeat,
  setDevicesSeen,
} from './device.ts';
export { deleteDevices } from './device-removal.ts';
export { type DeviceText, listDeviceTexts, readDeviceText } from './device-text.ts';
export { type EventPlace, eventsBetween, type LoggedEvent, roleEventsBefore } from './event-log.ts';
export {
  deleteInvitation,
  hasInvitations,
  type InvitationRow,
  insertInvitation,
  invitationOf,
  listInvitations,
  readInvitation,
  setInvitationRole,
} from './invitation.ts';
export { putItems } from './item-batch.ts';
export { countItems } from './item-count.ts';
export {
  closeMaintenance,
  insertMaintenance,
  listMaintenance,
  type MaintenanceRow,
  maintenanceAt,
  maintenanceOver,
  readMaintenance,
  updateMaintenanceReason,
} from './maintenance.ts';
export {
  endClaim,
  type GrantRow,
  grantOf,
  handOver,
  type MadeRow,
  madeBy,
  partsOf,
  setTokenPerson,
} from './maker.ts';
export { type MarkedRestored, markRestored } from './mark-restored.ts';
export { type Migration, migrate, pendingMigrations } from './migration.ts';
export { type Call, mutate } from './mutation.ts';
export {
  type NotificationSettingsRow,
  putNotificationSettings,
  readNotificationSettings,
} from './notification-settings.ts';
export { type Page, pageOf } from './page.ts';
export {
  deleteExpiredSessions,
  deletePerson,
  deleteRole,
  deleteSession,
  insertSession,
  listMembers,
  listMemberships,
  membershipByDomain,
  personByEmail,
  putRole,
  readPerson,
  readRole,
  readSession,
  type SessionRow,
  updatePerson,
} from './person.ts';
export {
  blankEvents,
  deleteSettledRelays,
  forgetAnswer,
  forgetChanges,
  forgetExport,
  hostsWithCopies,
  insertPrivacyJob,
  keptAnswersAfter,
  listPrivacyJobs,
  type PrivacyJobRow,
  type PrivacyPartRow,
  partsOfPrivacyJobs,
  pendingPrivacyJobs,
  privacyPages,
  putPrivacyPage,
  readPrivacyJob,
  relaysAfter,
  statementsAfter,
  updatePrivacyJob,
  updatePrivacyPart,
  wasProvisioned,
} from './privacy-job.ts';
export {
  deletePromptFile,
  hasPromptBytes,
  listPromptFiles,
  type PromptFileRow,
  putPromptFile,
  readPromptFile,
} from './prompt-file.ts';
export { waitingRelays } from './relay-waiting.ts';
export { EXPIRY_STEP, EXPIRY_STEPS, type Expiry, oldRecordings } from './retention.ts';
export {
  deleteDeadRevocations,
  insertRevokedToken,
  isRevoked,
  type RevokedTokenRow,
  setTenantNotBefore,
} from './revocation.ts';
export {
  type RevokedCertificateRow,
  revokeCertificates,
  revokedCertificates,
} from './revoked-certificate.ts';
export { rotateSeal, type SealRotation } from './rotate-seal.ts';
export type { KeyAlgorithm, Role } from './schema/access-tables.ts';
export type { Scope } from './schema/core-tables.ts';
export type { ConfigurationSet } from './schema/provisioning-tables.ts';
export type { BulkStatus } from './schema/record-tables.ts';
export type {
  AlarmNote,
  ConfigRefusal,
  HostCondition,
  HostCourse,
  OperationState,
  OperationType,
} from './schema/site-tables.ts';
export { sealStored } from './seal-stored.ts';
export { configKeyPlace, siteKeyPlace } from './sealed-place.ts';
export { putSelfTest, readSelfTest } from './self-test.ts';
export {
  checkIdle,
  fencedStore,
  LeaseLost,
  ownedShards,
  releaseShards,
  renewShards,
  type ShardLeaseRow,
  type ShardOwner,
  takeShards,
} from './shard-lease.ts';
export {
  type ClaimRow,
  deleteSite,
  insertClaim,
  insertSite,
  listSites,
  readClaim,
  readSite,
  type SiteRow,
  setClaimUsed,
} from './site.ts';
export { hasMassChange, rowsOfScope, scopeHashSlice, scopeSlice } from './site-change.ts';
export {
  type AlarmFilter,
  alarmsOf,
  alarmsToRepeat,
  insertAlarm,
  insertSiteEvents,
  laneSeq,
  laneSeqs,
  listAlarms,
  openAlarm,
  openAlarmsOf,
  readAlarm,
  type SiteAlarmRow,
  type SiteEventRow,
  setLaneSeq,
  siteEvents,
  updateAlarm,
} from './site-event.ts';
export {
  type Connectivity,
  countHostsInLife,
  type HostFacts,
  type HostFlap,
  type HostRow,
  type HostStatusRow,
  type HostWithStatus,
  hostByName,
  hostsInLife,
  hostsNamed,
  hostsOf,
  hostsOfClaim,
  hostsOfUids,
  insertHost,
  type Lifecycle,
  readHost,
  readHostStatus,
  updateHeardStatus,
  updateHost,
  updateHostStatus,
} from './site-host.ts';
export {
  insertOperation,
  listOperations,
  type OperationRow,
  openOperations,
  operationsOf,
  readOperation,
  updateOperation,
} from './site-operation.ts';
export {
  dueRelays,
  insertRelay,
  nextRelayAt,
  type RelayRow,
  relaysOfAlarm,
  updateRelay,
} from './site-relay.ts';
export type { Connection, DialectName, Handle, Lease, Nesting, StorePort, Vault } from './sql/connection.ts';
export {
  type ChangeListener,
  createStore,
  type Notice,
  type Reader,
  type Revision,
  type Store,
  type Tx,
} from './sql/store.ts';
export {
  deleteTenant,
  insertTenant,
  listTenants,
  type TenantRow,
  tenantByDomain,
  tenantById,
} from './tenant.ts';
export { addUsage, type UsageHourRow, usageBetween } from './usage-hour.ts';
