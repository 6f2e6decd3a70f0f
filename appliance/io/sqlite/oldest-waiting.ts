import { LANES } from '#shared/contract/feed/index.ts';
import type { Lane, OutboxRow } from '../../delivery/outbox/index.ts';
import type { Sqlite } from './database/open-sqlite.ts';

/** A row that waits, as far as its age is concerned. */
export type OldestRow = Pick<OutboxRow, 'lane' | 'createdWall' | 'createdMono' | 'boot'>;

const AGE = 'lane, created_wall createdWall, created_mono createdMono, boot';

/** Rows for the cloud are found by the index of each lane; those for receivers are few, or a receiver is unreachable. */
export function oldestReads(db: Sqlite): () => readonly OldestRow[] {
  const forCloud = db.prepare<[Lane], OldestRow>(
    `SELECT ${AGE} FROM outbox WHERE state = 'new' AND dest = 'cloud' AND lane = ? ORDER BY seq LIMIT 1`,
  );
  // The other columns are those of the row that has the least seq (SQLite, "Bare columns in an aggregate query").
  const forReceivers = db.prepare<[], OldestRow>(
    `SELECT ${AGE}, min(seq) seq FROM outbox
     WHERE state IN ('new', 'inflight') AND dest <> 'cloud' GROUP BY lane`,
  );
  return () => [...LANES.flatMap((lane) => forCloud.all(lane)), ...forReceivers.all()];
}
