export { TWIN_TYP } from '#shared/contract/feed/index.ts';
export { ENTITIES, readBody } from './entity.ts';
export { feedChain } from './feed-chain.ts';
export type { FeedSource, Fetched, VerifySigned } from './feed-source.ts';
export { closedGate, type GateEffect, type GateInput, type GateState, isOpen, stepGate } from './gate.ts';
export { checkManifest, replacesAll } from './manifest-check.ts';
export {
  confirmed,
  inPlaceOf,
  isHeldOnSite,
  makeOverride,
  type Override,
  type OverrideRequest,
  reviewOverrides,
  standing,
} from './override.ts';
export {
  initialPull,
  type PullEffect,
  type PullInput,
  type PullState,
  revisionsBehind,
  stepPull,
} from './pull.ts';
export type { ReplicaStore, RowKey, Standing, Standings, StoredRow } from './replica-store.ts';
export { isKeyFault, KeyRing, type OpenKeys } from './sealed-row.ts';
export { judgeStaged, removalsOf, StagedReading } from './staging.ts';
export { type EntityBody, type ModelChange, type ReplicatedBridge, TenantModel } from './tenant-model.ts';
export type { Place, TenantPorts } from './tenant-port.ts';
export { acceptTwin } from './twin.ts';
