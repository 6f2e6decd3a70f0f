export { type EntityBody, type ReplicatedBridge, TenantModel } from './tenant-model.ts';
