export { createFeed, type Feed } from './feed.ts';
export { jitterSeconds } from './jitter.ts';
export type { ManifestAnswer } from './manifest.ts';
export type { PlatformRows } from './platform.ts';
export type { FeedPort } from './port.ts';
export type { StandingTwin } from './twin.ts';
