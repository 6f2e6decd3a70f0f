import type { Lane, LaneBytes, SubjectStep, SubjectStepRequest } from '../../delivery/outbox/index.ts';
import type { SqliteSetting } from './database/open-sqlite.ts';
import type { CleanPosition, CleanStep, JournalRetention } from './journal-retention.ts';
import type { PackedWrite } from './journal-statement.ts';
import type { Salvage } from './salvage/index.ts';

/** The messages between the main thread and the writer thread. One request is under way at a time. */
export interface WriterSetting extends SqliteSetting {
  /** Identity of the running kernel: a new one counts as a boot. */
  readonly bootId: string;
}

export type WriterRequest =
  /** One list of writes per waiting caller; each is there completely or not at all. */
  | { readonly kind: 'commit'; readonly units: readonly (readonly PackedWrite[])[] }
  | {
      readonly kind: 'clean';
      readonly position: CleanPosition;
      readonly nowMs: number;
      readonly kept: JournalRetention;
    }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'drop'; readonly lane: Lane; readonly bytes: number }
  | { readonly kind: 'subject'; readonly step: SubjectStepRequest }
  /** Another reader met damage. */
  | { readonly kind: 'salvage'; readonly fault: string }
  | { readonly kind: 'salvageTold' }
  | { readonly kind: 'close' };

export interface Counters {
  readonly boot: number;
  readonly runningMs: number;
  readonly epoch: number;
  /** Highest outbox number given out so far. */
  readonly seq: number;
  /** The salvage of damage that was not reported yet. */
  readonly salvage?: Salvage;
  /** The last time at which rows may have been lost, epoch ms. */
  readonly salvagedMs?: number;
  /** All pages were looked at; a large file is checked while it is in use. */
  readonly isChecked: boolean;
}

export type WriterReply =
  | { readonly kind: 'ready'; readonly counters: Counters }
  /**
   * `failed` lists the units that are not there, with the reason; `ms` is the time of the batch, `syncs` that of each COMMIT in
   * it, which is what the disk takes.
   */
  | {
      readonly kind: 'committed';
      readonly failed: readonly (readonly [number, string])[];
      readonly ms: number;
      readonly syncs: readonly number[];
    }
  | { readonly kind: 'cleaned'; readonly step: CleanStep }
  | { readonly kind: 'subject'; readonly step: SubjectStep }
  | { readonly kind: 'counted'; readonly waiting: LaneBytes }
  | { readonly kind: 'dropped'; readonly rows: number }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'done' }
  | { readonly kind: 'closed' };

/** Said between a request and its reply: the file is another one from now on. */
export interface WriterEvent {
  readonly kind: 'salvaged';
  readonly salvage: Salvage;
}
