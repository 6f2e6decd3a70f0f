import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from './layout-rule.ts';
import { type Source, source } from './source.ts';

export const ROOT = join(import.meta.dirname, '../..');
const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.carillon']);
const NOT_TEXT = /\.(wav|bin|pcap|png|ico|gz|db|p12|der)$/;
const SOURCE = /^(appliance|cloud|installer|sdk|shared|test)\/.*\.(ts|tsx|mjs|js)$/;

let texts: readonly Entry[] | undefined;
let sources: readonly Source[] | undefined;

/** Every text file of the repository, by its path from the root. It is read once. */
export function repositoryTexts(): readonly Entry[] {
  texts ??= readTexts();
  return texts;
}

function readTexts(): Entry[] {
  return globSync(['**/*', '**/.*', '.*/**/*'], {
    cwd: ROOT,
    withFileTypes: true,
    exclude: ({ name }) => NOT_OURS.has(name),
  })
    .filter((entry) => entry.isFile() && !NOT_TEXT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({
      path: file.slice(ROOT.length + 1).replaceAll('\\', '/'),
      text: readFileSync(file, 'utf8'),
    }));
}

/** Every source of the programs and the tests. Each is parsed once. */
export function repositorySources(): readonly Source[] {
  sources ??= repositoryTexts()
    .filter(({ path }) => SOURCE.test(path))
    .map(({ path, text }) => source(path, text));
  return sources;
}
