import type { SessionRecord } from '#shared/contract/session-record/index.ts';

/** Takes records; a later one with the same `recordId` replaces the one before. */
export interface RecordSink {
  /** Never waits: the row is on the disk within 200 ms. */
  put(record: SessionRecord): void;
}

/** A start that an earlier life of this host has left without an end, and sessions that go on. */
export interface KeptStarts {
  /** Records whose result is `running`, the oldest first. */
  running(): readonly SessionRecord[];
}
