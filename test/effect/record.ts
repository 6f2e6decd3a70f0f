import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { seededBytes } from './effect-log.ts';

/* Loaded before each file of journeys by `vitest.config.ts`: writes a file for each test, named by the hash of its name. */

const folder = process.env.EFFECTS_FOLDER;
if (folder === undefined)
  throw new Error('npm run effects needs EFFECTS_FOLDER, the folder that the effects are written to');

let lines: string[] = [];

beforeEach(({ task }) => {
  lines = [];
  globalThis.carillonEffects = {
    note: (kind, atMs, text) => void lines.push(`${kind} ${Math.round(atMs)} ${JSON.stringify(text)}`),
    random: seededBytes(nameOf(task)),
  };
});

afterEach(({ task }) => {
  globalThis.carillonEffects = undefined;
  if (lines.length === 0) return;
  const name = nameOf(task);
  mkdirSync(folder, { recursive: true });
  const file = createHash('sha256').update(name).digest('hex').slice(0, 16);
  writeFileSync(join(folder, `${file}.txt`), [name, ...lines, ''].join('\n'));
});

interface Task {
  readonly name: string;
  readonly file: { readonly filepath: string };
  readonly suite?: { readonly name: string } | undefined;
}

const nameOf = ({ file, suite, name }: Task): string =>
  `${relative('', file.filepath)} > ${suite?.name ?? ''} > ${name}`;
