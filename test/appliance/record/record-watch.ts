import type { SessionOpening, TraceObserver } from '#appliance/kernel/session-trace.ts';
import type { SessionRecord } from '#shared/contract/session-record/index.ts';

/** A session as its trace tells it. */
interface Watched {
  opening: SessionOpening;
  isOver: boolean;
  ends: number;
  record: SessionRecord | undefined;
}

/**
 * Holds the records of one life of a test appliance against its traces: each session that ended has one ended record, and that one
 * says what it was, how it ended, and who took part. `Chosen:` a session without an end when the world is closed is no fault: the
 * test looked at something else and left it open.
 */
export function recordWatch(recorder: TraceObserver) {
  const open = new Map<string, Watched>();
  const observer: TraceObserver = {
    opened(trace, opening, before) {
      recorder.opened(trace, opening, before);
      const { recordId = '' } = trace;
      const known = open.get(recordId) ?? { opening, isOver: false, ends: 0, record: undefined };
      known.opening = opening;
      known.isOver ||= before.some(({ kind }) => kind === 'sessionEnded');
      open.set(recordId, known);
    },
    added(trace, entry) {
      recorder.added(trace, entry);
      const known = open.get(trace.recordId ?? '');
      if (known !== undefined) known.isOver ||= entry.kind === 'sessionEnded';
    },
    joined(recordId) {
      recorder.joined(recordId);
      open.delete(recordId);
    },
    attempted: (source, reason) => recorder.attempted(source, reason),
  };
  return {
    observer,
    /** A record as it goes to the store. */
    put(record: SessionRecord): void {
      const known = open.get(record.recordId);
      if (known === undefined || record.result === 'running') return;
      known.ends++;
      known.record = record;
    },
    /** A store that forgets its records is not asked for them. */
    clear: (): void => open.clear(),
    /** Sentences, one for each session whose record is not as it must be. Everything that waited was written. */
    faults: (): readonly string[] =>
      [...open].flatMap(([recordId, watched]) => {
        const fault = watched.isOver ? faultOf(watched) : undefined;
        return fault === undefined ? [] : [`the record ${recordId} (${watched.opening.kind}) ${fault}`];
      }),
  };
}

function faultOf({ opening, ends, record }: Watched): string | undefined {
  if (record === undefined) return 'has no end, though its session ended';
  if (ends > 1) return `has ${ends} ends`;
  if (record.kind !== opening.kind) return `is of kind ${record.kind}`;
  if (record.reason === undefined || record.reason === '') return `says ${record.result} without a reason`;
  if (record.times.ended === undefined || record.durationMs === undefined) return 'has no time of its end';
  const parties = [record.from, record.to, record.source, record.deviceId, record.controllerId];
  return parties.some((party) => party !== undefined && party !== '') ? undefined : 'names no party';
}
