import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { DEFAULT_RETENTION } from '#shared/setting/index.ts';
import type { Journal, Lane, LaneBytes, SubjectJournal } from '../../delivery/outbox/index.ts';
import { openSqlite, type SqliteSetting } from './database/open-sqlite.ts';
import { WrittenIds } from './database/written-ids.ts';
import { cleanedStep, counted, dropped, GroupCommit, subjectStepped } from './group-commit.ts';
import type { Counters, WriterEvent, WriterReply, WriterRequest, WriterSetting } from './journal-message.ts';
import { journalReads, type NewestIds } from './journal-read.ts';
import type { CleanPosition, JournalRetention } from './journal-retention.ts';
import { pack } from './journal-statement.ts';
import { type OldestRow, oldestReads } from './oldest-waiting.ts';
import { RequestThread, type ServingThread } from './request-thread.ts';
import { isDamage, type Salvage } from './salvage/index.ts';
import { watchedReads } from './watched-reads.ts';

export interface JournalSetting extends Pick<SqliteSetting, 'file' | 'synchronous'> {
  /** Identity of the running kernel; read from /proc where absent. */
  readonly bootId?: string;
  /** Days; absent: those that hold where nothing is set. */
  readonly retention?: JournalRetention;
  /** Called after each group commit: callers in it, its time, and that of each synced COMMIT, ms. */
  readonly onBatch?: (callers: number, ms: number, syncs: readonly number[]) => void;
  /** Called after damage that was met while the journal was in use; the readable rows are in it again by then. */
  readonly onSalvaged?: (salvage: Salvage) => void;
  /** Begins what writes the file; absent: a thread of its own, which takes 0.1 s to begin. */
  readonly beginWriter?: (data: WriterSetting) => ServingThread;
}

export interface OpenJournal extends Journal, SubjectJournal {
  /** The salvage of damage found at this start or before that was not reported yet. */
  readonly salvage: Salvage | undefined;
  /** Notes that the salvage was reported. */
  salvageReported(): Promise<void>;
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
  const { file } = setting;
  let salvagedMs: number | undefined;
  let isClosing = false;
  let isOpen = false;
  /** The file is another one from now on. */
  const salvaged = (salvage: Salvage | undefined): void => {
    // The report stays in the file: the next start notifies. The salvage of this start is read from its counters.
    if (isClosing || !isOpen || salvage === undefined) return;
    const before = connection;
    connection = openReads(file);
    before.close();
    salvagedMs = salvage.atMs;
    setting.onSalvaged?.(salvage);
  };
  const thread = writerThread(
    { file, synchronous: setting.synchronous ?? 'FULL', bootId: setting.bootId ?? kernelBootId() },
    salvaged,
    setting.beginWriter ?? beginWriterThread,
  );
  const counters = await thread.start();
  salvagedMs = counters.salvagedMs;
  let connection = openReads(file);
  isOpen = true;
  const group = new GroupCommit({ send: (request) => thread.request(request), onBatch: setting.onBatch });
  let seq = counters.seq;
  const salvageFor = (fault: string): void =>
    void group.chore({ kind: 'salvage', fault }).catch(() => undefined);
  const failed = (thrown: unknown): void => {
    if (isDamage(thrown)) salvageFor((thrown as Error).message);
  };
  const reads = watchedReads(() => connection.reads, failed);
  const written = writtenIds(reads.newestIds);
  const stopCheck = counters.isChecked ? () => undefined : checkWhole(file, salvageFor);

  return {
    boot: counters.boot,
    runningMs: counters.runningMs,
    epoch: counters.epoch,
    salvage: counters.salvage,
    salvagedMs: () => salvagedMs,
    salvageReported: async () => void (await group.chore({ kind: 'salvageTold' })),
    nextSeq: () => ++seq,
    commit: (writes) => {
      for (const write of writes)
        if (write.kind === 'session' || write.kind === 'outbox') written[write.kind].add(write.row.id);
      return group.commit(writes.map(pack));
    },
    ...reads,
    session: (id) => (written.session.mayHave(id) ? reads.session(id) : undefined),
    outboxRow: (id) => (written.outbox.mayHave(id) ? reads.outboxRow(id) : undefined),
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
      await stopCheck();
      await group.settled();
      isClosing = true;
      connection.close();
      await thread.stop();
    },
    crashWriter: () => thread.crash(),
  };
}

/** The writer of the journal. `salvaged` has returned before anything is answered from the new file. */
const writerThread = (
  data: WriterSetting,
  salvaged: (salvage: Salvage | undefined) => void,
  begin: (data: WriterSetting) => ServingThread,
) =>
  new RequestThread<WriterRequest, WriterReply | WriterEvent, Counters, WriterReply>({
    begin: () => begin(data),
    closed: 'the journal is closed',
    hear: (said) => {
      switch (said.kind) {
        case 'salvaged':
          salvaged(said.salvage);
          return { kind: 'event' };
        case 'ready':
          salvaged(said.counters.salvage);
          return { kind: 'ready', ready: said.counters };
        default:
          return { kind: 'reply', reply: said };
      }
    },
  });

const beginWriterThread = (data: WriterSetting): Worker =>
  new Worker(new URL('./journal-worker.ts', import.meta.url), { workerData: data, name: 'journal' });

function openReads(file: string) {
  const db = openSqlite({ file, readonly: true });
  return { reads: { ...journalReads(db), oldestWaiting: oldestReads(db) }, close: () => db.close() };
}

/** A table that cannot be read has to be asked for every id. */
function writtenIds(newestIds: () => NewestIds): Readonly<Record<keyof NewestIds, WrittenIds>> {
  let newest = { session: LAST_OF_ALL, outbox: LAST_OF_ALL };
  try {
    newest = newestIds();
  } catch {
    // The reader of damage has heard of it.
  }
  return { session: new WrittenIds(newest.session), outbox: new WrittenIds(newest.outbox) };
}

/** Behind every id. */
const LAST_OF_ALL = '\uffff';

/** Looks at all pages of a large file, beside everything else. */
function checkWhole(file: string, found: (fault: string) => void): () => unknown {
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), { workerData: { file } });
  worker.on('message', (fault: string | null) => {
    if (fault !== null) found(fault);
  });
  // A check that cannot be made is no damage: whoever reads the page meets it.
  worker.on('error', () => undefined);
  worker.unref();
  return () => worker.terminate();
}

function kernelBootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}
