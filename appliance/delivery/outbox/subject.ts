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
 * `find`: which sessions name it. `read`: rows about it. `count`: those that somebody still waits for. `remove`: takes away what
 * is over. `forget`: takes away what is known of the device now: its heartbeat and where it is registered.
 */
export type SubjectWork = 'find' | 'read' | 'count' | 'remove' | 'forget';

export interface SubjectStepRequest extends SubjectSessions {
  readonly work: SubjectWork;
  readonly subject: DataSubject;
  readonly position: SubjectPosition;
  /** Wall clock: rows that came later are nobody's business now. */
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
  /** Of `find`; `open`: it is not over. */
  readonly found: readonly {
    readonly sessionId: string;
    readonly traceId?: string;
    readonly open: boolean;
  }[];
  /** Of `read`. */
  readonly rows: readonly SubjectRow[];
  /** Of `remove` and `forget`, by kind. */
  readonly removed: Readonly<Record<string, number>>;
  /** Of `count`: rows that are still to be delivered. */
  readonly owed: number;
  /** Absent when every table is done. */
  readonly next?: SubjectPosition;
}

/** The journal as somebody's data are looked for in it. */
export interface SubjectJournal {
  subjectStep(request: SubjectStepRequest): Promise<SubjectStep>;
}
