import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import type { DataSubject } from '#shared/matching/index.ts';

export interface RecordWriterSetting {
  readonly file: string;
  /** Most bytes of the file. */
  readonly quotaBytes: number;
}

/** Epoch ms before which records of a kind go. */
export interface RecordAge {
  readonly alarmsBeforeMs: number;
  readonly callsBeforeMs: number;
  readonly logsBeforeMs: number;
}

/** A stored record that is about a subject. */
export interface NamedRow {
  readonly seq: number;
  readonly body: string;
}

export type RecordRequest =
  | { readonly kind: 'put'; readonly records: readonly SessionRecord[] }
  | { readonly kind: 'sent'; readonly upTo: number }
  | { readonly kind: 'clean'; readonly age: RecordAge }
  | {
      /** `named`: only tells them; `erase`: removes them. */
      readonly kind: 'named' | 'erase';
      readonly subject: DataSubject;
      readonly sessions: readonly string[];
      readonly traces: readonly string[];
      readonly afterSeq: number;
    }
  | { readonly kind: 'close' };

export type RecordReply =
  | {
      readonly kind: 'ready';
      readonly damaged?: { readonly file: string; readonly fault: string; readonly rows: number } | undefined;
    }
  | {
      readonly kind: 'done';
      readonly rows: number;
      readonly dropped: number;
      readonly next?: number | undefined;
      /** Records of a subject as they are stored. */
      readonly found?: readonly NamedRow[];
    }
  | { readonly kind: 'failed'; readonly reason: string };
