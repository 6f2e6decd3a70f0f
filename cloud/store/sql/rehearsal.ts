import type { Connection, Lease, Rehearsal, StorePort } from './connection.ts';
import { dialectOf } from './dialect.ts';
import { watched } from './watched.ts';

/** A rehearsal that holds the writer for longer than this is ended, for others wait. */
const REHEARSAL_LIMIT_MS = 5_000;

/**
 * The transaction opens with the first write, because most refusals come before it. Writes run one after the other, each in
 * a savepoint.
 *
 *     write ── BEGIN ── SAVEPOINT ── work ── RELEASE ── read sees it ── … ── end: ROLLBACK
 *                           │ throws
 *                           └ ROLLBACK TO
 */
export function createRehearsal(connection: Connection, startTimer: StorePort['startTimer']): Rehearsal {
  const dialect = dialectOf[connection.dialect];
  let opened: Promise<Lease> | undefined;
  let lease: Lease | undefined;
  let stopTimer: () => void = () => undefined;
  let last: Promise<unknown> = Promise.resolve();
  let over = false;

  async function open(): Promise<Lease> {
    const lent = await connection.lease();
    stopTimer = startTimer(REHEARSAL_LIMIT_MS, () => {
      over = true;
      lease = undefined;
      void lent.release(true);
    });
    await lent.exec(dialect.begin);
    lease = lent;
    return lent;
  }

  async function inSavepoint<T>(work: (db: Lease['db']) => Promise<T>): Promise<T> {
    if (over) throw new Error('the rehearsal is over: its work must not write any more');
    opened ??= open();
    const { db, exec } = await opened;
    await exec('SAVEPOINT rehearsed');
    try {
      const value = await work(watched(db).db);
      await exec('RELEASE SAVEPOINT rehearsed');
      return value;
    } catch (error) {
      if (!over) await exec('ROLLBACK TO SAVEPOINT rehearsed');
      throw error;
    }
  }

  return {
    reading: () => (lease === undefined ? undefined : { db: watched(lease.db).db, rows: lease.rows }),
    write: (work) => {
      const done = last.then(() => inSavepoint(work));
      last = done.catch(() => undefined);
      return done;
    },
    end: async () => {
      await last;
      const ended = over ? undefined : lease;
      over = true;
      lease = undefined;
      stopTimer();
      if (ended === undefined) return;
      let broken = false;
      await ended.exec('ROLLBACK').catch(() => {
        broken = true;
      });
      await ended.release(broken);
    },
  };
}
