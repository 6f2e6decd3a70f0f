import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { type DocumentationFiles, keptDocumentation, type PackedName } from '#shared/documentation/index.ts';

const BUILT = join(import.meta.dirname, '..', '..', '..', 'docs', 'site', 'dist', 'packed');
const FORGET_AFTER_MS = 300_000;
const unpack = promisify(zstdDecompress);

/** The files of the documentation site; undefined in a checkout in which `npm run docs` never ran. */
export function builtDocumentation(folder = BUILT): (() => Promise<DocumentationFiles>) | undefined {
  if (!existsSync(join(folder, 'files.json'))) return undefined;
  return keptDocumentation({
    list: async () => JSON.parse(await readFile(join(folder, 'files.json'), 'utf8')) as readonly PackedName[],
    bytes: async () => new Uint8Array(await unpack(await readFile(join(folder, 'files.zst')))),
    later: (forget) => {
      const timer = setTimeout(forget, FORGET_AFTER_MS).unref();
      return () => clearTimeout(timer);
    },
  });
}
