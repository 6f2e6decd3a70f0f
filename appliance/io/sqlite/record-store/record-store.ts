import { Worker } from 'node:worker_threads';
import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import { Listeners } from '#shared/listeners.ts';
import type { Log } from '#shared/log.ts';
import type { DataSubject } from '#shared/matching/index.ts';
import type { Retention } from '#shared/setting/index.ts';
import { removedFault } from '#shared/sqlite-file/index.ts';
import { every } from '#shared/timer/index.ts';
import type { KeptStarts, RecordQuery, RecordSink } from '../../../record/index.ts';
import { RequestThread } from '../request-thread.ts';
import type { RecordReply, RecordRequest, RecordWriterSetting } from './record-message.ts';
import { RecordReader } from './record-reader.ts';
import type { NumberedRecord, recordReads } from './record-reads.ts';

/** Records are written together this often; the promise is 200 ms. */
const WAIT_MS = 100;
/** Rows of one message to the writer. */
const AT_ONCE = 500;
/** Chosen: what waits in memory for a writer that does not answer; the oldest go then. */
const MOST_WAITING = 50_000;
const DAY_MS = 86_400_000;
/** A store without new records notices within this that its file was removed. */
const LOOK_MS = 1_000;

export interface RecordStoreSetting {
  readonly file: string;
  readonly quotaBytes: number;
  readonly log: Log;
  /** Hears of a file that was damaged, or removed or replaced under the program; `rows`: those that are in the new one. */
  readonly onDamage?: (damage: RecordDamage) => void;
}

export interface RecordDamage {
  /** Where the damaged file lies now, or what stood in the place of a removed one. */
  readonly file: string;
  readonly fault: string;
  readonly rows: number;
  readonly removed?: true;
}

interface SubjectOf {
  readonly sessions: readonly string[];
  readonly traces: readonly string[];
}

export interface NamedRecords {
  readonly records: readonly NumberedRecord[];
  readonly next?: number | undefined;
}

export interface RecordStore extends RecordSink, KeptStarts {
  /** Emits when records are in the file. */
  readonly written: Pick<Listeners<[]>, 'add'>;
  /** Writes what waits; resolves when it is in the file. */
  flush(): Promise<void>;
  /** Records that the control plane does not have, in the order of their numbers. */
  unsent(afterSeq: number, limit: number): readonly NumberedRecord[];
  /** The number up to which the control plane has everything. */
  acked(): number;
  /** The control plane has everything up to this number. */
  sent(upTo: number): Promise<void>;
  list(query: RecordQuery): Promise<readonly SessionRecord[]>;
  byId(recordId: string): Promise<SessionRecord | undefined>;
  /** Removes what is older than its class; resolves to the number of rows. */
  clean(nowMs: number, kept: Pick<Retention, 'alarms' | 'calls' | 'logs'>): Promise<number>;
  /** The next records that name a subject, or belong to its sessions and traces; `next`: where the rest begins. */
  named(subject: DataSubject, of: SubjectOf, afterSeq: number): Promise<NamedRecords>;
  /** Removes the records that name a subject, or belong to its sessions and traces; resolves to their number. */
  erase(subject: DataSubject, sessions: readonly string[], traces: readonly string[]): Promise<number>;
  close(): Promise<void>;
  /** Ends the writer thread without closing, for tests of the failure. */
  crashWriter(): Promise<void>;
}

/**
 * Opens or creates `record.db`. A file that cannot be opened is logged and tried again with the next records: it must not keep a
 * host from taking alarms.
 */
export async function openRecordStore({
  file,
  quotaBytes,
  log,
  onDamage,
}: RecordStoreSetting): Promise<RecordStore> {
  const reader = new RecordReader(file);
  const thread = recordThread({ file, quotaBytes }, ({ damaged }) => {
    reader.close();
    if (damaged === undefined) return;
    log('warn', 'record_store.salvaged', 'Found the store of records damaged and began a new one', {
      ...damaged,
    });
    onDamage?.(damaged);
  });
  let waiting: SessionRecord[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isFailing = false;
  const newRecords = new Listeners<[]>();

  const failed = (cause: unknown): void => {
    if (!isFailing)
      log('error', 'record_store.write_failed', 'Could not write records of sessions', {
        cause: String(cause),
      });
    isFailing = true;
  };
  await thread.start().catch(failed);
  /** The answer to a question; without a file that can be read, `nothing`. */
  const read = <Found>(ask: (from: ReturnType<typeof recordReads>) => Found, nothing: Found): Found => {
    try {
      return ask(reader.reads);
    } catch (cause) {
      log('warn', 'record_store.read_failed', 'Could not read records of sessions', { cause: String(cause) });
      reader.close();
      return nothing;
    }
  };
  let keeping: Promise<void> | undefined;
  /** Restores a file that was removed or replaced under the program. Rejects where it cannot. */
  const keep = async (): Promise<void> => {
    if (reader.hasLeft)
      keeping ??= thread
        .alone(async () => {
          if (!reader.hasLeft) return;
          const restored = await reader.restore(Date.now());
          onDamage?.({ ...restored, fault: removedFault(file), removed: true });
        })
        .finally(() => {
          keeping = undefined;
        });
    await keeping;
  };
  /** A write is confirmed when the file is where the next start looks for it. */
  const written = async (request: RecordRequest) => {
    // The connection that knows the file is open before the file can leave.
    read(() => undefined, undefined);
    // A thread that begins at a path without its file would make an empty one there.
    await keep();
    const done = await thread.request(request);
    await keep();
    return done;
  };
  const stopLooking = every(LOOK_MS, () => void keep().catch(failed), { isBackground: true });
  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const records = waiting.slice(0, AT_ONCE);
      waiting = waiting.slice(AT_ONCE);
      try {
        await written({ kind: 'put', records });
        isFailing = false;
        newRecords.emit();
      } catch (cause) {
        // A disk that is full stays so for a while: they are tried again with the next ones.
        waiting = [...records, ...waiting].slice(-MOST_WAITING);
        failed(cause);
        return;
      }
    }
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeAll);
    return writing;
  };

  return {
    written: newRecords,
    put(record) {
      waiting.push(record);
      if (waiting.length > MOST_WAITING) waiting.shift();
      timer ??= setTimeout(() => void flush(), WAIT_MS);
    },
    flush,
    unsent: (afterSeq, limit) => read((from) => from.unsent(afterSeq, limit), []),
    acked: () => read((from) => from.acked(), 0),
    sent: async (upTo) => void (await written({ kind: 'sent', upTo })),
    running: () => read((from) => from.running(), []),
    async list(query) {
      await flush();
      return read((from) => from.list(query), []);
    },
    async byId(recordId) {
      await flush();
      return read<SessionRecord | undefined>((from) => from.byId(recordId), undefined);
    },
    async clean(nowMs, { alarms, calls, logs }) {
      const age = {
        alarmsBeforeMs: nowMs - alarms * DAY_MS,
        callsBeforeMs: nowMs - calls * DAY_MS,
        logsBeforeMs: nowMs - logs * DAY_MS,
      };
      let removed = 0;
      for (;;) {
        const { rows } = await written({ kind: 'clean', age });
        removed += rows;
        if (rows === 0) return removed;
      }
    },
    async named(subject, { sessions, traces }, afterSeq) {
      await flush();
      const request = { kind: 'named', subject, sessions, traces, afterSeq } as const;
      const { found = [], next } = await written(request);
      const records = found.map(({ seq, body }) => ({ seq, record: JSON.parse(body) as SessionRecord }));
      return { records, next };
    },
    async erase(subject, sessions, traces) {
      await flush();
      let removed = 0;
      for (let afterSeq: number | undefined = 0; afterSeq !== undefined; ) {
        const step: { rows: number; next?: number | undefined } = await written({
          kind: 'erase',
          ...{ subject, sessions, traces, afterSeq },
        });
        removed += step.rows;
        afterSeq = step.next;
      }
      return removed;
    },
    async close() {
      stopLooking();
      await flush();
      await keep().catch(failed);
      // The last connection moves the log into the file, and a reader cannot.
      reader.close();
      await thread.stop().catch(failed);
    },
    crashWriter: () => thread.crash(),
  };
}

/** Chosen: a thread without work for so long ends; a quiet site does without its 10 MB, and its start costs a busy one nothing. */
const IDLE_MS = 30_000;

type Ready = Extract<RecordReply, { kind: 'ready' }>;
type Done = Extract<RecordReply, { kind: 'done' }>;

/** The writer of records. `onReady`: the file is open, or is another one from now on. */
const recordThread = (data: RecordWriterSetting, onReady: (ready: Ready) => void) =>
  new RequestThread<RecordRequest, RecordReply, Ready, Done>({
    begin: () =>
      new Worker(new URL('./record-worker.ts', import.meta.url), { workerData: data, name: 'record' }),
    closed: 'the store of records is closed',
    idleMs: IDLE_MS,
    hear: (said) => {
      switch (said.kind) {
        case 'ready':
          onReady(said);
          return { kind: 'ready', ready: said };
        case 'done':
          return { kind: 'reply', reply: said };
        case 'failed':
          return said;
      }
    },
  });
