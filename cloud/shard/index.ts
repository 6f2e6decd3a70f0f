export { type Announcement, AnnouncementWindow, type Look } from './announcement-window.ts';
export { type Clock, type ClockReading, DatabaseClock } from './database-clock.ts';
export {
  type EndReason,
  initialOwnership,
  isHeld,
  type LeaseSeen,
  type Ownership,
  type OwnershipEffect,
  type OwnershipInput,
  type ReplicaSeen,
  type ShardView,
  stepOwnership,
  type Term,
} from './ownership.ts';
export { mostShards, shardOwners } from './rendezvous.ts';
export { readSpentHint, type SpentHint, spentHint } from './spent-hint.ts';
