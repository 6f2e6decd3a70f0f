import { existsSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openJournal, openSqlite, type Salvage } from '#appliance/io/sqlite/index.ts';
import { damagePages } from '#test/support/damaged-page.ts';
import { event, outbox, session, sessionRow } from './journal-row.ts';
import { tempFolders } from './temp-folder.ts';

/* Damage that is met while the journal is in use: whoever waits for a commit gets it, in the new journal. */

const folder = tempFolders();
const PAGE = 4096;
const ALARMS = 300;
/** More than SQLite keeps in memory, so that old pages are read from the disk. */
const BODY = JSON.stringify({ text: 'x'.repeat(9_000) });

async function running() {
  const file = join(folder(), 'journal.db');
  const reported: Salvage[] = [];
  const journal = await openJournal({ file, bootId: 'a', onSalvaged: (salvage) => reported.push(salvage) });
  for (let n = 1; n <= ALARMS; n += 30) {
    const numbers = Array.from({ length: 30 }, (_, at) => n + at);
    await journal.commit(
      numbers.flatMap((each) => [
        session(each, { body: BODY }),
        event(each, { body: BODY }),
        outbox(each, { orderKey: sessionRow(each).id, body: BODY }),
      ]),
    );
  }
  const db = openSqlite({ file });
  // The writer moves pages at the same time: what is left in the log would cover the damage.
  do db.pragma('wal_checkpoint(TRUNCATE)');
  while (statSync(`${file}-wal`).size > 0);
  const pages = Number(db.pragma('page_count', { simple: true }));
  db.close();
  const handle = openSync(file, 'r+');
  const damage = (page: number) => writeSync(handle, Buffer.alloc(PAGE, 0xa5), 0, PAGE, (page - 1) * PAGE);
  return { file, journal, told: reported, pages, damage };
}

describe('damage in a running journal', () => {
  it('is salvaged by the commit that meets it', async () => {
    const { file, journal, told: reported, pages, damage } = await running();
    for (let page = 10; page < pages; page += 9) damage(page);
    const seq = journal.nextSeq();
    // Each change looks for its row, somewhere in the file.
    for (let n = 1; n <= ALARMS && reported.length === 0; n++)
      await journal.commit([{ kind: 'outboxChange', id: `out-${n}`, atMs: 1, change: { attempts: 1 } }]);
    expect(reported).toHaveLength(1);
    await journal.commit([session(1_000), event(1_000), outbox(seq, { id: 'after' })]);
    expect(journal.outboxRow('after')).toMatchObject({ seq });
    const there = journal.pendingOutbox().length - 1;
    expect(there).toBe(reported[0]?.waiting);
    expect(there).toBeGreaterThan(20);
    expect(journal.nextSeq()).toBe(seq + 1);
    expect(existsSync(reported[0]?.file ?? '')).toBe(true);
    await journal.close();
    // Later commits are in the file that the next start opens, and numbers go on above all others.
    const again = await openJournal({ file, bootId: 'a' });
    expect(again.salvage).toEqual(reported[0]);
    expect(again.outboxRow('after')).toMatchObject({ seq });
    expect(again.nextSeq()).toBeGreaterThan(seq + 1);
    await again.close();
  });

  it('is salvaged after the read that meets it', async () => {
    const { journal, told: reported, damage, file } = await running();
    const page = rootOf(file, 'event');
    damage(page);
    await journal.commit([{ kind: 'runningMs', ms: 1 }]);
    expect(() => journal.events(sessionRow(5).id)).toThrow(/malformed/);
    // The salvage is asked for behind what waits already.
    await journal.waitingBytes();
    expect(reported).toHaveLength(1);
    expect(journal.events(sessionRow(5).id)).toHaveLength(1);
    await journal.close();
  });
});

describe('damage in a journal that is too large for a check at its start', () => {
  it('is found by a thread of its own, and what is owed is looked at before', {
    timeout: 60_000,
  }, async () => {
    const file = join(folder(), 'journal.db');
    const first = await openJournal({ file, bootId: 'a' });
    const body = JSON.stringify('x'.repeat(70 * 1024 * 1024));
    await first.commit([
      { kind: 'trace', row: { traceId: 't', sessionId: null, ordinal: 0, atMs: 1, kind: 'k', body } },
    ]);
    await first.commit([session(1), event(1), outbox(1)]);
    await first.close();
    damagePages(file, [rootOf(file, 'event')]);
    const met = Promise.withResolvers<Salvage>();
    const journal = await openJournal({ file, bootId: 'a', onSalvaged: met.resolve });
    expect(journal.salvage).toBeUndefined();
    expect(journal.pendingOutbox()).toHaveLength(1);
    expect(await met.promise).toMatchObject({
      lost: { events: 1 },
      recovered: { sessions: 1, callbacks: 1 },
    });
    await journal.close();

    damagePages(file, [rootOf(file, 'outbox')]);
    const again = await openJournal({ file, bootId: 'a' });
    expect(again.salvage).toMatchObject({ lost: { callbacks: 1 }, recovered: { sessions: 1 } });
    await again.close();
  });
});

/** The page that leads to all rows of a table. */
function rootOf(file: string, table: string): number {
  const db = openSqlite({ file, readonly: true });
  try {
    return Number(db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table));
  } finally {
    db.close();
  }
}
