import type { FeedScope, HashedRow, Operation } from '#shared/contract/feed/index.ts';
import type { Override } from './override.ts';

/** Where a scope stands on this host: revision 0 has no rows. */
export interface Standing {
  readonly rev: number;
  /** `resultHash` of its rows; empty at revision 0. */
  readonly h: string;
}

export type Standings = Readonly<Record<FeedScope, Standing>>;

export interface RowKey {
  readonly entity: string;
  readonly id: string;
}

/** A row as it is kept; `body` is JSON text. */
export interface StoredRow extends RowKey {
  readonly body: string;
}

/** The durable copy of the configuration. Calls are synchronous and small; a change is staged page by page. */
export interface ReplicaStore {
  readonly standings: () => Standings;
  /** Rows after one of them, by entity and id; from the first when `after` is absent. */
  readonly rows: (scope: FeedScope, after: RowKey | undefined, limit: number) => readonly StoredRow[];
  readonly hashes: (scope: FeedScope) => readonly HashedRow[];

  /** Empties the staging place; `replacesAll`: what is not staged will go. */
  readonly beginStage: (scope: FeedScope, replacesAll: boolean) => void;
  readonly stage: (operations: readonly Operation[]) => void;
  /** The rows as they would be after the staged change. */
  readonly stagedHashes: () => readonly HashedRow[];
  /** Copies what is staged to the live rows and writes the standing: one transaction, synced. */
  readonly commit: (standing: Standing) => void;

  /** The present configuration has passed its health gate: keeps a copy of it. */
  readonly keepGood: () => Promise<void>;
  /** Standings of the copy; undefined when there is none yet. */
  readonly goodStandings: () => Standings | undefined;
  /** Brings the copy back: one transaction. False when there is none. */
  readonly returnToGood: () => boolean;
  /** The program begins with a configuration under test: how often it did so by now, this time included. */
  readonly beginTrial: () => number;
  readonly endTrial: () => void;

  /** The newest twin accepted, as it was signed. */
  readonly twin: () => string | undefined;
  readonly keepTwin: (compact: string) => void;

  /** Revisions answered with NACK; they are not taken again before a newer one exists or a person asks. */
  readonly refused: () => Partial<Readonly<Record<FeedScope, number>>>;
  readonly keepRefused: (refused: Partial<Readonly<Record<FeedScope, number>>>) => void;

  /** The overrides of people on site; written by their commands too, while this program runs. */
  readonly overrides: () => readonly Override[];
  readonly keepOverride: (override: Override) => void;
  readonly dropOverride: (key: string) => void;
}
