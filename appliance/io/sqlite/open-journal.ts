import { readFileSync } from 'node:fs';
import { DEFAULT_RETENTION } from '#shared/setting/index.ts';
import type { Journal, Lane, LaneBytes, SubjectJournal } from '../../delivery/outbox/index.ts';
import { cleanedStep, counted, dropped, GroupCommit, subjectStepped } from './group-commit.ts';
import { journalReads } from './journal-read.ts';
import type { CleanPosition, JournalRetention } from './journal-retention.ts';
import { pack } from './journal-statement.ts';
import { type OldestRow, oldestReads } from './oldest-waiting.ts';
import { openSqlite, type SqliteSetting } from './open-sqlite.ts';
import { WriterThread } from './writer-thread.ts';

export interface JournalSetting extends Pick<SqliteSetting, 'file' | 'synchronous'> {
  /** Identity of the running kernel; read from /proc where absent. */
  readonly bootId?: string;
  /** Days; absent: those that hold where nothing is set. */
  readonly retention?: JournalRetention;
  /** Told after each group commit: callers in it, its time, and that of each synced COMMIT, ms. */
  readonly onBatch?: (callers: number, ms: number, syncs: readonly number[]) => void;
}

export interface OpenJournal extends Journal, SubjectJournal {
  /** Where the file went that was found damaged; a new journal was begun in its place. */
  readonly setAside: string | undefined;
  /** The row of each lane that has waited longest, for receivers and for the cloud; a lane without one is absent. */
  oldestWaiting(): readonly OldestRow[];
  /** Bytes that wait in each lane. */
  waitingBytes(): Promise<LaneBytes>;
  /** Lets the oldest rows for the cloud of a lane go until `bytes` are free; resolves to their number. */
  dropOldest(lane: Lane, bytes: number): Promise<number>;
  /** Ends the writer thread without closing, for tests of the failure. */
  crashWriter(): Promise<void>;
}

/**
 * Opens or creates `journal.db`: writer in a thread of its own, reads on a second connection. Rejects with
 * `StorageFailed` when the place cannot be written, with an Error when the file is from a newer program.
 */
export async function openJournal(setting: JournalSetting): Promise<OpenJournal> {
  const thread = new WriterThread({
    file: setting.file,
    synchronous: setting.synchronous ?? 'FULL',
    bootId: setting.bootId ?? kernelBootId(),
  });
  const counters = await thread.start();
  const readDb = openSqlite({ file: setting.file, readonly: true });
  const group = new GroupCommit({ send: (request) => thread.request(request), onBatch: setting.onBatch });
  let seq = counters.seq;

  return {
    boot: counters.boot,
    runningMs: counters.runningMs,
    epoch: counters.epoch,
    setAside: counters.setAside,
    nextSeq: () => ++seq,
    commit: (writes) => group.commit(writes.map(pack)),
    ...journalReads(readDb),
    oldestWaiting: oldestReads(readDb),
    acknowledge: (lane, upTo, atMs) => group.commit([pack({ kind: 'acknowledge', lane, seq: upTo, atMs })]),
    async clean(nowMs) {
      const kept = setting.retention ?? DEFAULT_RETENTION;
      let removed = 0;
      let position: CleanPosition | undefined = { rule: 0, afterRow: 0 };
      while (position !== undefined) {
        const step = cleanedStep(await group.chore({ kind: 'clean', position, nowMs, kept }));
        removed += step.removed;
        position = step.next;
      }
      return removed;
    },
    subjectStep: async (step) => subjectStepped(await group.chore({ kind: 'subject', step })),
    waitingBytes: async () => counted(await group.chore({ kind: 'waiting' })),
    dropOldest: async (lane, bytes) => dropped(await group.chore({ kind: 'drop', lane, bytes })),
    async close() {
      await group.settled();
      readDb.close();
      await thread.stop();
    },
    crashWriter: () => thread.crash(),
  };
}

function kernelBootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}
