import type { Journal } from '../../delivery/outbox/index.ts';

/** A journal that remembers whether its last commit came to the disk. */
export interface WatchedJournal {
  readonly journal: Journal;
  /** False from a failed commit until one succeeds: alarms get a refusal at once instead of waiting in vain. */
  readonly storable: () => boolean;
  /** The reason of the last commit, if it failed: it holds until one succeeds, also while the next alarm is a probe. */
  readonly fault: () => string | undefined;
}

/**
 * Chosen: after a failure every second the next alarm is let through as a probe; without a probe the journal would never notice
 * that the disk works again.
 */
const PROBE_MS = 1_000;

export function watchedJournal(journal: Journal, monoMs: () => number): WatchedJournal {
  let failedAtMs: number | undefined;
  let reason: string | undefined;
  const commit: Journal['commit'] = async (writes) => {
    try {
      await journal.commit(writes);
      failedAtMs = undefined;
      reason = undefined;
    } catch (cause) {
      failedAtMs = monoMs();
      reason = cause instanceof Error ? cause.message : String(cause);
      throw cause;
    }
  };
  return {
    journal: { ...journal, commit },
    fault: () => reason,
    storable: () => failedAtMs === undefined || monoMs() - failedAtMs > PROBE_MS,
  };
}
