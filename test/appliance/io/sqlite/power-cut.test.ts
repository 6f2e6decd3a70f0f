import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openJournal } from '#appliance/io/sqlite/index.ts';
import { tempFolders } from './temp-folder.ts';

const folder = tempFolders();
const childFile = fileURLToPath(new URL('./journal-child.ts', import.meta.url));

/** Runs the storing program until it has acknowledged `enough` alarms, then ends it without warning. */
async function storeUntilKilled(file: string, first: number, enough: number): Promise<number[]> {
  const child = spawn(process.execPath, [childFile, file, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const acknowledged: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(Number(line));
    if (acknowledged.length === enough) child.kill('SIGKILL');
  }
  await ended;
  return acknowledged;
}

describe('a program that is killed', () => {
  it('has stored, completely, every alarm that it acknowledged', async () => {
    const file = join(folder(), 'journal.db');
    const acknowledged: number[] = [];
    for (const enough of [1, 37, 400]) {
      const first = 1 + 10_000 * acknowledged.length;
      acknowledged.push(...(await storeUntilKilled(file, first, enough)));
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(438);
    const journal = await openJournal({ file });
    expect(journal.salvage).toBeUndefined();
    const sessions = new Map(journal.openSessions().map((row) => [JSON.parse(row.body).n, row.id]));
    const waiting = new Set(journal.pendingOutbox().map(({ seq }) => seq));
    const lost = acknowledged.filter((n) => {
      const id = sessions.get(n);
      return id === undefined || journal.events(id).length !== 1 || !waiting.has(n);
    });
    expect(lost).toEqual([]);
    // A commit under way and not acknowledged is there as a whole or not at all.
    expect(sessions.size).toBe(waiting.size);
    await journal.close();
  });
});

describe('a disk that takes no more', () => {
  it('rejects the commit, and what was acknowledged before is still read', async () => {
    const file = join(folder(), 'journal.db');
    // 2,000 blocks of 512 bytes: the write-ahead log meets the limit long before its checkpoint.
    const child = spawn(
      'sh',
      ['-c', 'ulimit -f 2000; exec "$0" "$1" "$2"', process.execPath, childFile, file],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) lines.push(line);
    const last = lines.pop() ?? '';
    expect(last).toMatch(/^storageFailed after which \d+ are read$/);
    expect(lines.length).toBeGreaterThan(20);
    expect(Number(/\d+/.exec(last)?.[0])).toBeGreaterThanOrEqual(lines.length);

    const journal = await openJournal({ file });
    const stored = new Set(journal.pendingOutbox().map(({ seq }) => String(seq)));
    expect(lines.filter((n) => !stored.has(n))).toEqual([]);
    await journal.close();
  });
});
