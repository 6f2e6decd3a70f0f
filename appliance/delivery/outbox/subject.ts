import type { DataSubject } from '#shared/matching/index.ts';

/** Alarm sessions about a device or a person, and their traces. */
export interface SubjectSessions {
  readonly sessions: readonly string[];
  readonly traces: readonly string[];
}

/** Where a walk through the journal goes on. */
export interface SubjectPosition {
  readonly table: number;
  readonly afterRow: number;
}

/**
 * `find`: which sessions name it. `read`: rows about it. `count`: those that a receiver still waits for. `remove`: deletes rows
 * of sessions that are over. `forget`: deletes the present state of the device: its heartbeat and where it is registered.
 */
export type SubjectWork = 'find' | 'read' | 'count' | 'remove' | 'forget';

export interface SubjectStepRequest extends SubjectSessions {
  readonly work: SubjectWork;
  readonly subject: DataSubject;
  readonly position: SubjectPosition;
  /** Wall clock: later rows do not belong to this work. */
  readonly beforeMs: number;
}

/** A row as an export shows it; `body` is JSON text. */
export interface SubjectRow {
  readonly kind: 'session' | 'event' | 'message' | 'copy' | 'trace';
  /** Position of the row, so that a reader can go on behind it. */
  readonly row: number;
  readonly shown: Readonly<Record<string, unknown>>;
}

export interface SubjectStep {
  /** Result of `find`; `open`: the session is not over. */
  readonly found: readonly {
    readonly sessionId: string;
    readonly traceId?: string;
    readonly open: boolean;
  }[];
  /** Result of `read`. */
  readonly rows: readonly SubjectRow[];
  /** Result of `remove` and `forget`, by kind. */
  readonly removed: Readonly<Record<string, number>>;
  /** Result of `count`: rows that are still to be delivered. */
  readonly owed: number;
  /** Absent when every table is done. */
  readonly next?: SubjectPosition;
}

/** The journal for the search of a person's data. */
export interface SubjectJournal {
  subjectStep(request: SubjectStepRequest): Promise<SubjectStep>;
}
