export { type OpenReplica, openReplica } from './open-replica.ts';
