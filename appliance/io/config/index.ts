export { removeAgedDamage } from './damaged-file.ts';
export { type OpenReplica, openReplica } from './open-replica.ts';
export { replicatedKeys } from './replicated-key.ts';
export type { DamagedFile } from './set-aside.ts';
