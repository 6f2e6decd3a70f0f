import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openObjectStorage } from '#appliance/io/object-storage/index.ts';
import { type ObjectServer, objectServer } from '#test/support/object-server.ts';

const KEY = { keyId: 'AKIDEXAMPLE', secret: 'secret' };
let server: ObjectServer;
let folder: string;
beforeEach(async () => {
  server = await objectServer(KEY);
  folder = mkdtempSync(join(tmpdir(), 'carillon-object-'));
});
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const put = (content: string, bucket = 'archive') => {
  const path = join(folder, 'copy.wav');
  writeFileSync(path, content);
  const storage = { endpoint: server.endpoint, region: 'eu-north-1', ...KEY };
  const opened = openObjectStorage(storage, undefined, [10, 10]);
  return opened({ path, bucket, key: 'a/b.wav', encryptionKey: undefined });
};
const copyIsLost = () => !existsSync(join(folder, 'copy.wav'));

it('a copy becomes an object and is no more', async () => {
  expect(await put('hello')).toEqual({ ok: true, value: null });
  expect(server.objects.get('archive/a/b.wav')?.bytes.toString()).toBe('hello');
  expect(copyIsLost()).toBe(true);
});

it('is tried again when the storage is busy, three times in all', async () => {
  server.moods.push(503, 500);
  expect(await put('hello')).toMatchObject({ ok: true });
  server.moods.push(503, 503, 503);
  expect(await put('again')).toMatchObject({
    error: { code: 'storeFailed', reason: expect.stringContaining('SlowDown') },
  });
  expect(server.moods).toEqual([]);
  expect(copyIsLost()).toBe(true);
});

it('is not tried again when the storage refuses', async () => {
  expect(await put('hello', 'nobody')).toMatchObject({
    error: { code: 'storeFailed', reason: expect.stringContaining('NoSuchBucket') },
  });
  expect(server.refusals).toEqual(['NoSuchBucket']);
  await put('one');
  expect(await put('other')).toMatchObject({ error: { code: 'conflict' } });
  expect(copyIsLost()).toBe(true);
});
