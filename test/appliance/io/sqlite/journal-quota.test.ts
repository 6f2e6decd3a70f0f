import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJournal } from '#appliance/io/sqlite/index.ts';
import { outboxRow } from './journal-row.ts';
import { tempFolders } from './temp-folder.ts';

const tempFolder = tempFolders();

it('counts what waits, and lets the oldest rows for the cloud go, never those for customers', async () => {
  const journal = await openJournal({ file: join(tempFolder(), 'journal.db'), bootId: 'a' });
  const rows = Array.from({ length: 10 }, (_, at) =>
    outboxRow(journal.nextSeq(), {
      id: `usage ${at}`,
      lane: 'usage',
      dest: at === 0 ? 'platform' : 'cloud',
      state: 'new',
      body: 'x'.repeat(100),
    }),
  );
  await journal.commit(rows.map((row) => ({ kind: 'outbox', row }) as const));
  expect(await journal.waitingBytes()).toEqual({ alarm: 0, svc: 0, audit: 0, usage: 1_000 });
  expect(await journal.dropOldest('usage', 250)).toBe(3);
  expect(await journal.waitingBytes()).toMatchObject({ usage: 700 });
  expect(await journal.dropOldest('usage', 100_000)).toBe(6);
  expect(journal.pendingOutbox().map(({ id }) => id)).toEqual(['usage 0']);
  await journal.close();
});
