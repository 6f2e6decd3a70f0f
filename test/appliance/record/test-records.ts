import type { KeptStarts, RecordSink } from '#appliance/record/index.ts';
import {
  RECORD_LIMIT_BYTES,
  type SessionRecord,
  sessionRecordSchema,
} from '#shared/contract/session-record/index.ts';

/** A record without what differs from run to run: its ids, and its times as ms since the arrival. */
export function plainRecord({
  recordId,
  traceId,
  sessionId,
  at,
  times,
  recordings,
  ...facts
}: SessionRecord) {
  const since = Object.entries(times).map(([name, ms]) => [name, (ms ?? at) - at]);
  const named = [recordId, traceId, sessionId].map((id) => id !== undefined && id.length >= 26);
  return {
    ...facts,
    named,
    times: Object.fromEntries(since),
    ...(recordings && { recordings: recordings.map((name) => name.replace(/[0-9a-f-]{36}/, 'ID')) }),
  };
}

export interface TestRecords extends RecordSink, KeptStarts {
  /** The newest record of each id, the oldest arrival first. */
  all(): SessionRecord[];
  /** Everything that was put, in order. */
  readonly puts: readonly SessionRecord[];
  /** Forgets everything that was put, as a store on a disk takes no memory. */
  clear(): void;
  /** Calls it whenever the records are forgotten. */
  onClear(cleared: () => void): void;
}

/** A store of records in memory. It takes nothing that the control plane would refuse. */
export function testRecords(): TestRecords {
  const puts: SessionRecord[] = [];
  const onClear: (() => void)[] = [];
  const newest = (): SessionRecord[] => [
    ...new Map(puts.map((record) => [record.recordId, record])).values(),
  ];
  return {
    puts,
    put(record) {
      const bytes = Buffer.byteLength(JSON.stringify(record));
      if (bytes > RECORD_LIMIT_BYTES) throw new Error(`a record of ${bytes} bytes`);
      puts.push(sessionRecordSchema.parse(JSON.parse(JSON.stringify(record))));
    },
    clear() {
      puts.splice(0);
      for (const cleared of onClear) cleared();
    },
    onClear: (cleared) => void onClear.push(cleared),
    running: () => newest().filter(({ result }) => result === 'running'),
    all: () => newest().toSorted((a, b) => a.at - b.at),
  };
}
