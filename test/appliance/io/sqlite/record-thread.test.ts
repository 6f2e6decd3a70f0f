import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RecordThread } from '#appliance/io/sqlite/record-store/record-thread.ts';

it('ends the thread of records without work, and starts it again with the next request', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-record-thread-'));
  const ready: unknown[] = [];
  const setting = { file: join(folder, 'record.db'), quotaBytes: 1_000_000 };
  const thread = new RecordThread(setting, (said) => ready.push(said), 20);
  await thread.start();
  await expect.poll(() => thread.isRunning).toBe(false);
  expect(await thread.request({ kind: 'sent', upTo: 0 })).toMatchObject({ kind: 'done' });
  expect(ready).toHaveLength(2);
  await expect.poll(() => thread.isRunning).toBe(false);
  // Without a thread there is nothing to close.
  await thread.request({ kind: 'close' });
  expect([thread.isRunning, ready.length]).toEqual([false, 2]);
  rmSync(folder, { recursive: true });
});
