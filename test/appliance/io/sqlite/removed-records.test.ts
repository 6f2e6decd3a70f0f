import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  openRecordStore,
  type RecordDamage,
  type RecordStore,
} from '#appliance/io/sqlite/record-store/index.ts';
import { recordIdOf } from '#appliance/kernel/session-trace.ts';
import { recordDamage } from '#appliance/site/supervision/index.ts';
import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import { damagePages } from '#test/support/damaged-page.ts';
import { BACKUP, FILE_REMOVALS, foundAfterKill, replace } from '#test/support/storage/file-removal.ts';
import { tempFolders } from './temp-folder.ts';

/* The file of running records is removed or replaced: what was written is there at the next start, and a person is notified. */

const NOW = 1_770_000_000_000;
const folder = tempFolders();
const open: RecordStore[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function running(file = join(folder(), 'data', 'record.db')) {
  mkdirSync(dirname(file), { recursive: true });
  const reported: RecordDamage[] = [];
  const logged: string[] = [];
  let received = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    received = resolve;
  });
  const store = await openRecordStore({
    file,
    quotaBytes: 64 * 1024 * 1024,
    log: (_level, event, _message, detail) => logged.push(`${event} ${detail?.cause ?? ''}`),
    onDamage: (damage) => {
      reported.push(damage);
      received();
    },
  });
  open.push(store);
  return { file, store, told: reported, logged, first };
}

async function put(store: RecordStore, n: number): Promise<void> {
  const at = NOW + n;
  store.put({ v: 1, recordId: recordIdOf(`session ${n}`, at), kind: 'call', at, result: 'done', times: {} });
  await store.flush();
}

const numbers = async (store: RecordStore): Promise<number[]> => {
  const found: readonly SessionRecord[] = await store.list({ fromMs: 0, toMs: NOW * 2, limit: 100 });
  return found.map(({ at }) => at - NOW).toSorted((a, b) => a - b);
};

async function numbersAfterKill(file: string): Promise<number[]> {
  const { store } = await running(foundAfterKill(file, folder()));
  return numbers(store);
}

describe('the file of running records', () => {
  it.each(FILE_REMOVALS)('%s: the next record is in a new one with all before it', async (_, act) => {
    const { file, store, told: reported } = await running();
    await put(store, 1);
    act(file);
    await put(store, 2);
    expect(reported).toMatchObject([{ removed: true, rows: 1 }]);
    expect(await numbersAfterKill(file)).toEqual([1, 2]);
    await put(store, 3);
    await store.sent(1);
    expect(reported).toHaveLength(1);
    expect(await numbersAfterKill(file)).toEqual([1, 2, 3]);
    expect(await numbers(store)).toEqual([1, 2, 3]);
  });

  it('is removed while nothing is written: the store notices by itself', async () => {
    const { file, store, told: reported, first } = await running();
    await put(store, 1);
    rmSync(file);
    await first;
    expect(reported).toMatchObject([{ removed: true, rows: 1 }]);
    expect(await numbersAfterKill(file)).toEqual([1]);
  });

  it('is removed just before the end: the next start has the records', async () => {
    const { file, store, told: reported } = await running();
    await put(store, 1);
    rmSync(file);
    await store.close();
    open.splice(open.indexOf(store), 1);
    expect(reported).toHaveLength(1);
    expect(await numbersAfterKill(file)).toEqual([1]);
  });

  it('keeps what stood in its place beside it', async () => {
    const { file, store, told: reported } = await running();
    await put(store, 1);
    replace(file);
    await put(store, 2);
    expect(readFileSync(reported[0]?.file ?? '', 'utf8')).toBe(BACKUP);
  });

  it('cannot be restored: records wait until it can, and the log has the reason', async () => {
    const { file, store, logged } = await running();
    await put(store, 1);
    rmSync(dirname(file), { recursive: true });
    await put(store, 2);
    expect(logged.join()).toMatch(/record_store.write_failed .*cannot be restored/);
    mkdirSync(dirname(file));
    await put(store, 3);
    expect(await numbersAfterKill(file)).toEqual([1, 2, 3]);
  });

  it('that was damaged is reported like every other store', async () => {
    const { file, store } = await running();
    await put(store, 1);
    await store.close();
    open.splice(open.indexOf(store), 1);
    damagePages(file, [1]);
    const again = await running(file);
    expect(again.told).toMatchObject([{ fault: expect.stringMatching(/./), rows: 0 }]);
    expect(again.told[0]).not.toHaveProperty('removed');
    const [damage] = again.told;
    if (damage === undefined) throw new Error('nothing was reported');
    expect(recordDamage(damage)).toMatchObject({
      store: 'record',
      message: expect.stringContaining('0 of them'),
    });
  });
});
