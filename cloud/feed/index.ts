export { compactScopes } from './compaction.ts';
export { createFeed, type Feed, type HostOrUid } from './feed.ts';
export { fetchSeconds, jitterSeconds } from './jitter.ts';
export { createKeyChange } from './key-change.ts';
export type { ManifestAnswer } from './manifest.ts';
export { bringUpPlatform, type PlatformRows } from './platform.ts';
export type { FeedPort } from './port.ts';
export type { CurrentTwin } from './twin.ts';
