import type { Log, LogDetail } from '#shared/log.ts';

interface Ids {
  readonly recordId: string;
  readonly traceId: string;
}

/** Running sessions by the names that a line of the log has of them: the id of the trace, or that of the session. */
export class SessionNames {
  readonly #byName = new Map<string, Ids>();
  readonly #namesOf = new Map<string, Set<string>>();

  add(ids: Ids, sessionId: string | undefined): void {
    const names = this.#namesOf.get(ids.recordId) ?? new Set();
    this.#namesOf.set(ids.recordId, names);
    for (const name of [ids.traceId, sessionId]) {
      if (name === undefined) continue;
      names.add(name);
      this.#byName.set(name, ids);
    }
  }

  forget(recordId: string): void {
    for (const name of this.#namesOf.get(recordId) ?? [])
      if (this.#byName.get(name)?.recordId === recordId) this.#byName.delete(name);
    this.#namesOf.delete(recordId);
  }

  /** The detail with the ids of its session, where it names a session that runs. Its own ids stay. */
  withIds(detail: LogDetail): LogDetail {
    // A further alarm of a call has the same trace, and a session of its own.
    for (const name of [detail.sessionId, detail.traceId]) {
      const ids = typeof name === 'string' ? this.#byName.get(name) : undefined;
      if (ids !== undefined) return { ...ids, ...detail };
    }
    return detail;
  }
}

/** A log whose lines about a running session carry `traceId` and `recordId`. */
export const sessionLog =
  (write: Log, names: Pick<SessionNames, 'withIds'>): Log =>
  (level, event, message, detail) =>
    write(level, event, message, detail && names.withIds(detail));
