import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { JournalWrite } from '#appliance/delivery/outbox/index.ts';
import type { WriterReply } from '#appliance/io/sqlite/journal-message.ts';
import { serveJournal } from '#appliance/io/sqlite/journal-service.ts';
import { pack } from '#appliance/io/sqlite/journal-statement.ts';
import { eventRow, session } from './journal-row.ts';
import { tempFolders } from './temp-folder.ts';

const tempFolder = tempFolders();

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }),
);
afterEach(() => void vi.useRealTimers());

function served() {
  const file = join(tempFolder(), 'journal.db');
  const replies: string[] = [];
  const serve = serveJournal(
    { file, synchronous: 'FULL', bootId: 'a' },
    ({ kind }: { kind: WriterReply['kind'] | 'salvaged' }) => replies.push(kind),
  );
  const commit = (...writes: readonly JournalWrite[]) => serve({ kind: 'commit', units: [writes.map(pack)] });
  return { file, serve, commit, replies };
}

/** A row that fills about a hundred pages of the write-ahead log. */
const large = (n: number): JournalWrite => ({
  kind: 'event',
  row: eventRow(n, { body: 'x'.repeat(100 * 4_096) }),
});

it('sets no timer behind a commit that leaves little to move', () => {
  const { serve, commit } = served();
  const atRest = vi.getTimerCount();
  for (let n = 1; n <= 5; n++) commit(session(n), { kind: 'event', row: eventRow(n) });
  expect(vi.getTimerCount()).toBe(atRest);
  serve({ kind: 'close' });
});

it('moves the write-ahead log in a quiet moment, once it is long enough', () => {
  const { file, serve, commit, replies } = served();
  const atRest = vi.getTimerCount();
  const before = statSync(file).size;
  for (let n = 1; n <= 4; n++) commit(session(n), large(n));
  expect(vi.getTimerCount()).toBe(atRest + 1);
  expect(statSync(file).size).toBe(before);
  // A batch that comes before the moment postpones it.
  vi.advanceTimersByTime(1);
  commit(session(5));
  vi.advanceTimersByTime(1);
  expect(statSync(file).size).toBe(before);
  vi.advanceTimersByTime(1);
  expect(statSync(file).size).toBeGreaterThan(before + 4 * 100 * 4_096);
  expect(readFileSync(file).includes('session-000005')).toBe(true);
  expect(vi.getTimerCount()).toBe(atRest);
  expect(replies).toEqual(['ready', ...Array.from({ length: 5 }, () => 'committed')]);
  serve({ kind: 'close' });
});
