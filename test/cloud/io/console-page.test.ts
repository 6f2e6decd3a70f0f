import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { consoleFiles, keepConsole } from '#cloud/io/console-page/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-kept-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A release with a console of these files, each holding its own name. */
function release(version: string, ...files: string[]): ReturnType<typeof consoleFiles> {
  const dist = join(folder, version);
  mkdirSync(join(dist, 'asset'), { recursive: true });
  for (const name of files) writeFileSync(join(dist, name), `${version} ${name}`);
  writeFileSync(join(dist, 'files.json'), JSON.stringify({ files, before: [] }));
  return consoleFiles(dist);
}

const kept = () => join(folder, 'data');
async function started(console: ReturnType<typeof consoleFiles>) {
  const failures: unknown[] = [];
  const read = await keepConsole(console, kept(), (cause) => failures.push(cause));
  expect(failures).toEqual([]);
  return async (name: string) => {
    const bytes = await read(name);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString();
  };
}

describe('files of the console of the version before', () => {
  it('are served after an upgrade, and those of two versions before are not', async () => {
    await started(release('one', 'index.html', 'asset/a-1.js', 'asset/same.js'));
    await started(release('one', 'index.html', 'asset/a-1.js', 'asset/same.js'));
    const two = await started(release('two', 'index.html', 'asset/a-2.js', 'asset/same.js'));
    expect(await two('asset/a-1.js')).toBe('one asset/a-1.js');
    expect(await two('asset/a-2.js')).toBe('two asset/a-2.js');
    expect(await two('index.html')).toBe('two index.html');

    const three = await started(release('three', 'index.html', 'asset/a-3.js'));
    expect(await three('asset/a-2.js')).toBe('two asset/a-2.js');
    expect(await three('asset/a-1.js')).toBeUndefined();
    expect(readdirSync(kept()).toSorted()).toEqual(['a-2.js', 'a-3.js', 'kept.json', 'same.js']);
  });

  it.each(['asset/../kept.json', 'kept.json', 'asset/kept.json', '../one/index.html'])(
    'are the only files of the folder that are read: %s',
    async (name) => {
      await started(release('one', 'asset/a-1.js'));
      const two = await started(release('two', 'asset/a-2.js'));
      expect(await two(name)).toBeUndefined();
    },
  );

  it('are done without where the folder cannot be written', async () => {
    writeFileSync(kept(), 'a file stands in the way');
    const failures: unknown[] = [];
    const read = await keepConsole(release('one', 'asset/a-1.js'), kept(), (cause) => failures.push(cause));
    expect(failures).toHaveLength(1);
    expect(Buffer.from((await read('asset/a-1.js')) ?? '').toString()).toBe('one asset/a-1.js');
  });
});
