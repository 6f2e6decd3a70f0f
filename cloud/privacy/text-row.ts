import { type DataSubject, subjectMatcher } from '#shared/matching/index.ts';
import type { Tx } from '../store/index.ts';
import { leftOf } from './blank.ts';
import type { CopyPort } from './copy-port.ts';

/** Rows between two breaths. */
export const SLICE = 200;

type Find = (
  port: CopyPort,
  tenant: string,
  subject: DataSubject,
) => AsyncGenerator<{ readonly id: string; readonly said: Record<string, unknown> }>;

/** Rows that are about something else, with words in them that may name a person: the words are removed, the row stays. */
export interface TextRow {
  /** As exports and counts call it. */
  readonly kind: string;
  readonly find: Find;
  /** Whether the row keeps its words for now: the erasure is done when it has lost them, too. Absent: it never does. */
  readonly isOwed?: (tx: Tx, tenant: string, id: string) => Promise<boolean>;
  /** Takes the subject out of it; read again, for whatever it is about goes on meanwhile. */
  readonly blank: (tx: Tx, tenant: string, id: string, subject: DataSubject) => Promise<void>;
}

interface Row {
  readonly id: string;
  /** The texts that may name a person. */
  readonly said: Record<string, unknown>;
  /** The fields that an export shows, when they are more. */
  readonly shown?: Record<string, unknown>;
}

/** All rows of a table, a page at a time; only those whose words name the subject come out. */
export async function* walk(
  { breathe }: CopyPort,
  subject: DataSubject,
  page: (after: string) => Promise<readonly Row[]>,
) {
  const { isIn } = subjectMatcher(subject);
  for (let after = ''; ; ) {
    const rows = await page(after);
    for (const { id, said, shown = said } of rows)
      if (leftOf(said, isIn) !== undefined) yield { id, said: shown };
    after = rows.at(-1)?.id ?? after;
    if (rows.length < SLICE) return;
    await breathe();
  }
}
