import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type OpenJournal, openJournal, type Salvage } from '#appliance/io/sqlite/index.ts';
import { journalDamage } from '#appliance/site/supervision/index.ts';
import { BACKUP, FILE_REMOVALS, foundAfterKill, replace } from '#test/support/storage/file-removal.ts';
import { alarm, event, outbox, session } from './journal-row.ts';
import { tempFolders } from './temp-folder.ts';

/* The file of a running journal is removed or replaced: committed rows are there at the next start, and a person is notified. */

const folder = tempFolders();
const opened: OpenJournal[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function running() {
  const file = join(folder(), 'data', 'journal.db');
  mkdirSync(dirname(file));
  const reported: Salvage[] = [];
  let received = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    received = resolve;
  });
  const journal = await openJournal({
    file,
    bootId: 'a',
    onSalvaged: (salvage) => {
      reported.push(salvage);
      received();
    },
  });
  opened.push(journal);
  await journal.commit(alarm(journal.nextSeq()));
  return { file, journal, told: reported, first };
}

async function startedAfterKill(file: string) {
  const journal = await openJournal({ file: foundAfterKill(file, folder()), bootId: 'a' });
  opened.push(journal);
  return journal;
}
const seqs = (journal: OpenJournal) => journal.pendingOutbox().map(({ seq }) => seq);
const removed = (file: string, suffixes: readonly string[]) => {
  for (const suffix of suffixes) rmSync(file + suffix);
};

describe('the file of a running journal', () => {
  it.each(FILE_REMOVALS)('%s: the next commit is in a new one with all rows before it', async (_, act) => {
    const { file, journal, told: reported } = await running();
    act(file);
    const seq = journal.nextSeq();
    await journal.commit(alarm(seq));
    expect(reported).toMatchObject([
      { removed: true, recovered: { events: 2, callbacks: 2 }, lost: { events: 0 } },
    ]);
    expect(seqs(await startedAfterKill(file))).toEqual([1, 2]);
    expect(seqs(journal)).toEqual([1, 2]);
    await journal.commit(alarm(journal.nextSeq()));
    expect(reported).toHaveLength(1);
    expect(seqs(await startedAfterKill(file))).toEqual([1, 2, 3]);
  });

  it('is removed while nothing is written: the journal notices by itself', async () => {
    const { file, told: reported, first } = await running();
    removed(file, ['', '-wal', '-shm']);
    await first;
    expect(reported).toMatchObject([{ removed: true }]);
    const after = await startedAfterKill(file);
    expect(seqs(after)).toEqual([1]);
    expect(after.salvage).toMatchObject({ removed: true });
  });

  it('is removed just before the end: the next start has the rows and the report', async () => {
    const { file, journal } = await running();
    removed(file, ['', '-wal', '-shm']);
    opened.splice(opened.indexOf(journal), 1);
    await journal.close();
    const again = await openJournal({ file, bootId: 'a' });
    opened.push(again);
    expect(seqs(again)).toEqual([1]);
    expect(again.salvage).toMatchObject({ removed: true });
  });

  it('keeps what stood in its place beside it', async () => {
    const { file, journal, told: reported } = await running();
    replace(file);
    await journal.commit(alarm(journal.nextSeq()));
    expect(readFileSync(reported[0]?.file ?? '', 'utf8')).toBe(BACKUP);
  });

  it('cannot be restored: commits are refused with the reason until it can', async () => {
    const { file, journal, told: reported } = await running();
    const data = dirname(file);
    rmSync(data, { recursive: true });
    await expect(journal.commit([session(2), event(2), outbox(journal.nextSeq())])).rejects.toThrow(
      /was removed or replaced under the running program and cannot be restored/,
    );
    mkdirSync(data);
    const seq = journal.nextSeq();
    await journal.commit([session(3), event(3), outbox(seq, { id: 'third' })]);
    expect(reported).toHaveLength(1);
    expect((await startedAfterKill(file)).outboxRow('third')).toMatchObject({ seq });
    expect(readdirSync(data)).toContain('journal.db');
  });
});

it('is reported in words that send no person for a new disk', () => {
  const counts = { sessions: 1, events: 1, callbacks: 1 };
  const none = { sessions: 0, events: 0, callbacks: 0 };
  const report = {
    file: 'f',
    fault: 'gone',
    atMs: 1,
    recovered: counts,
    lost: none,
    unreadable: 0,
    waiting: 1,
  };
  const { message } = journalDamage({ ...report, removed: true }, async () => undefined);
  expect(message).toMatch(/removed or replaced while the program ran.*no row is missing/);
  expect(message).not.toMatch(/change the disk/);
});
