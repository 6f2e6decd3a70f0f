export {
  type CallListTestRow,
  callListTestsAfter,
  deleteOldCallListTests,
  forgetCallListTest,
  openCallListTests,
  putCallListTest,
  readCallListTest,
  type TestedEntity,
  testedLists,
} from './alarm-queue/call-list-test.ts';
export {
  deletePushSubscription,
  type PushSubscriptionRow,
  pushSubscriptions,
  pushSubscriptionsOf,
  putPushSubscription,
} from './alarm-queue/push-subscription.ts';
export {
  deleteQueueWall,
  insertQueueWall,
  listQueueWalls,
  type QueueWallRow,
  queueWallByHash,
} from './alarm-queue/queue-wall.ts';
export {
  deleteClosedWaitingAlarms,
  lostTakers,
  notedWaitingAlarm,
  noteWaitingAlarm,
  type OpenAlarmCount,
  openAlarmCounts,
  openWaitingAlarms,
  putWaitingAlarm,
  readWaitingAlarm,
  type WaitingAlarmRow,
  waitingAlarmsAfter,
} from './alarm-queue/waiting-alarm.ts';
export {
  type Actor,
  type AuditEntry,
  type AuditPlace,
  type AuditRow,
  type AuditSubject,
  auditAfter,
  auditAnchor,
  auditBefore,
  auditHead,
  auditOf,
  auditOfHost,
  auditOlderThan,
  deleteAuditBehindAnchor,
  lockTenant,
  moveAuditAnchor,
  recordAudit,
  verifyAudit,
} from './change/audit.ts';
export {
  type Change,
  type ChangePlace,
  type ChangeRow,
  changeAt,
  changeHashesBehind,
  changesBehind,
  changesSince,
  currentRevision,
  currentRevisions,
  recordChange,
  recordChanges,
} from './change/change.ts';
export {
  type Compacted,
  compactChanges,
  lastRevisionBefore,
  type ScopeRevision,
  scopesAfter,
} from './change/change-compaction.ts';
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
} from './change/config-key.ts';
export { type Call, mutate } from './change/mutation.ts';
export { type Page, pageOf } from './change/page.ts';
export {
  type BulkJobRow,
  bulkJobsAfter,
  putBulkJob,
  readBulkJob,
  startedBulkJobs,
  updateBulkJob,
} from './configuration/bulk-job.ts';
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
} from './configuration/configuration-item.ts';
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
  readAccountDevices,
  readDevice,
  readDeviceBodies,
  setDeviceHeartbeat,
  setDevicesSeen,
} from './configuration/device.ts';
export { deleteDevices } from './configuration/device-removal.ts';
export { type DeviceText, listDeviceTexts, readDeviceText } from './configuration/device-text.ts';
export { putItems } from './configuration/item-batch.ts';
export { countItems } from './configuration/item-count.ts';
export {
  type NotificationSettingsRow,
  putNotificationSettings,
  readNotificationSettings,
} from './configuration/notification-settings.ts';
export {
  deletePromptFile,
  hasPromptBytes,
  listPromptFiles,
  type PromptFileRow,
  putPromptFile,
  readPromptFile,
} from './configuration/prompt-file.ts';
export {
  filledTable,
  insertNamed,
  type NamedRows,
  namedRows,
  withSnapshot,
  withWalk,
} from './database/backup-rows.ts';
export { checkDatabase, type DatabaseReport } from './database/check.ts';
export { type CopiedTable, type CopyEnd, copyDatabase } from './database/copy.ts';
export { awaitEarlierVersions } from './database/earlier-version.ts';
export {
  type InstallationKeyRow,
  insertInstallationKeys,
  readInstallationKeys,
  replaceInstallationKey,
} from './database/installation-key.ts';
export { type MarkedRestored, markRestored } from './database/mark-restored.ts';
export {
  HELD_PAUSE_MS,
  isExpanding,
  type Migration,
  migrate,
  migrationsRan,
  pendingMigrations,
} from './database/migration.ts';
export { rotateSeal, type SealRotation } from './database/rotate-seal.ts';
export { sealedBy, sealStored } from './database/seal-stored.ts';
export { configKeyPlace, installationKeyPlace, siteKeyPlace } from './database/sealed-place.ts';
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
} from './people/access.ts';
export {
  deleteInvitation,
  hasInvitations,
  type InvitationRow,
  insertInvitation,
  invitationOf,
  listInvitations,
  readInvitation,
  setInvitationRole,
} from './people/invitation.ts';
export {
  endClaim,
  type GrantRow,
  grantOf,
  handOver,
  type MadeRow,
  madeBy,
  partsOf,
  setTokenPerson,
} from './people/maker.ts';
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
} from './people/person.ts';
export {
  deleteDeadRevocations,
  insertRevokedToken,
  isRevoked,
  type RevokedTokenRow,
  setTenantNotBefore,
} from './people/revocation.ts';
export {
  deleteSecondFactor,
  demandsOf,
  markSession,
  putSecondFactor,
  readSecondFactor,
  type SecondFactorRow,
  unmarkSessions,
} from './people/second-factor.ts';
export {
  deleteTenant,
  insertTenant,
  listTenants,
  type TenantRow,
  tenantByDomain,
  tenantById,
  updateTenant,
} from './people/tenant.ts';
export { notedErasure, noteErasure } from './privacy/erasure-notice.ts';
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
} from './privacy/privacy-job.ts';
export { EXPIRY_STEP, EXPIRY_STEPS, type Expiry, oldRecordings } from './privacy/retention.ts';
export { addRecordHours, type RecordHourRow, recordHoursBetween } from './record/record-hour.ts';
export {
  type IndexedColumn,
  PREFIX_SORTED,
  prefixPath,
  type RecordKey,
  type RecordPath,
  type RecordPlace,
  type RecordRange,
  recordKeyQuery,
  recordKeys,
} from './record/record-search.ts';
export {
  blankRecord,
  ERASED_SEQ,
  monthAfter,
  monthOf,
  notedRecord,
  noteRecord,
  putRecords,
  recordSeq,
  recordsAfter,
  recordsForWrite,
  recordsOf,
  type SessionRecordRow,
  setRecordSeq,
} from './record/session-record.ts';
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
export { type EventPlace, eventsBetween, type LoggedEvent, roleEventsBefore } from './site/event-log.ts';
export {
  type ConnectivityChange,
  changesOfConnectivity,
  forgetConnectivity,
  noteConnectivity,
} from './site/host-connectivity.ts';
export {
  closeMaintenance,
  insertMaintenance,
  listMaintenance,
  type MaintenanceRow,
  maintenanceAt,
  maintenanceOver,
  readMaintenance,
  updateMaintenanceReason,
} from './site/maintenance.ts';
export { waitingRelays } from './site/relay-waiting.ts';
export {
  type AnnouncementBody,
  type AnnouncementRow,
  announcementsOf,
  databaseTime,
  describeReplica,
  dropReplica,
  forgetAnnouncements,
  forgetOtherReplicas,
  liveReplicas,
  type ReplicaRow,
  type ReplicaView,
  readReplicas,
  recentAnnouncements,
  renewReplica,
} from './site/replica.ts';
export {
  type RevokedCertificateRow,
  revokeCertificates,
  revokedCertificates,
} from './site/revoked-certificate.ts';
export { putSelfTest, readSelfTest } from './site/self-test.ts';
export { fencedStore, LeaseLost } from './site/shard-fence.ts';
export {
  checkIdle,
  freeShards,
  ownedShards,
  releaseShards,
  renewShards,
  type ShardLeaseRow,
  type ShardTerm,
  takeShards,
} from './site/shard-lease.ts';
export {
  forgetSilence,
  putSilence,
  putSilenceVerdict,
  readSilence,
  readSilenceVerdict,
  type SilenceTally,
  type SilenceVerdict,
} from './site/silence.ts';
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
  sitesOf,
} from './site/site.ts';
export { hasMassChange, rowsOfScope, scopeHashSlice, scopeSlice } from './site/site-change.ts';
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
  openAlarmsWith,
  readAlarm,
  type SiteAlarmRow,
  type SiteEventRow,
  setLaneSeq,
  siteEvents,
  updateAlarm,
} from './site/site-event.ts';
export {
  type Connectivity,
  countHostsInLifecycle,
  type HostFacts,
  type HostFlap,
  type HostRow,
  type HostStatusRow,
  type HostSummary,
  type HostWithStatus,
  hostByName,
  hostPlaces,
  hostSummaries,
  hostsInLifecycle,
  hostsNamed,
  hostsOf,
  hostsOfClaim,
  hostsOfUids,
  insertHost,
  type Lifecycle,
  type ReportedStatus,
  readHost,
  readHostStatus,
  takeTwinNumber,
  updateHost,
  updateHostStatus,
  updateObservedStatus,
  updateObservedStatuses,
} from './site/site-host.ts';
export {
  insertOperation,
  listOperations,
  type OperationRow,
  openOperations,
  operationsOf,
  readOperation,
  updateOperation,
} from './site/site-operation.ts';
export {
  claimRelays,
  insertRelay,
  nextRelayAt,
  type RelayRow,
  relaysOfAlarm,
  updateRelay,
} from './site/site-relay.ts';
export { addUsage, type UsageHourRow, usageBetween } from './site/usage-hour.ts';
export type {
  Connection,
  DialectName,
  Handle,
  Lease,
  Nesting,
  Rehearsal,
  StorePort,
  Vault,
} from './sql/connection.ts';
export {
  type ChangeListener,
  createStore,
  type Notice,
  type Reader,
  type Revision,
  type Store,
  storeWith,
  type Tx,
} from './sql/store.ts';
export {
  foreignDeploymentAlarms,
  forgetDeploymentAlarms,
  putDeploymentAlarm,
} from './transient/deployment-alarm.ts';
export { createSharedPages, deleteOldPages, type SharedPages } from './transient/feed-page.ts';
export {
  answerListeningAsk,
  asksOfListening,
  deleteListening,
  deleteListeningAsk,
  deleteOldListenings,
  endReading,
  insertListening,
  insertListeningAsk,
  keepReading,
  type ListeningAskRow,
  type ListeningRow,
  listeningsOf,
  notedListening,
  readListening,
  readListeningAsk,
  startReading,
} from './transient/listening.ts';
export {
  deleteOldLoginAttempts,
  lockLoginAttempt,
  putLoginAttempt,
} from './transient/login-attempt.ts';
export { createUploads, deleteOldUploads, type Uploads } from './transient/upload.ts';
export { insertWrongClaim, networkReportedAt, wrongClaimsSince } from './transient/wrong-claim.ts';
