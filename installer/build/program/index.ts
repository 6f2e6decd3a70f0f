import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { readSources } from './program-sum.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const HOME = join('node_modules', '.cache', 'carillon', 'program');
/** The entry of the command line in a bundle. */
const ENTRY = join('installer', 'carillon.mjs');
/**
 * A bundle goes when nothing has started from it for a day and five others were started since. A program that runs still
 * loads parts of its bundle on demand.
 */
const KEPT = 5;
const KEPT_MS = 86_400_000;

/**
 * The entry as a bundle of the sources as they are, which is made when it is not there: the path of the file. Says so by `say`,
 * one line; rejects when it cannot be made. Several processes may do so at once: each makes it in a folder of its own, and the first is kept.
 */
export async function currentProgram(say: (line: string) => void, root = ROOT): Promise<string> {
  const { sum, texts } = readSources(root);
  const all = join(root, HOME);
  const home = join(all, sum.slice(0, 16));
  const entry = join(home, ENTRY);
  if (existsSync(entry)) {
    markUsed(home);
    return entry;
  }
  say('Carillon makes a bundle of its sources, once for each state of them: a few seconds.');
  // esbuild is loaded when it is needed.
  const { bundleProgram } = await import('./program-bundle.ts');
  mkdirSync(all, { recursive: true });
  const made = mkdtempSync(join(all, 'making-'));
  try {
    await bundleProgram(root, texts, made, home);
    takePlace(made, home);
    removeOld(all);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return entry;
}

/** A folder is renamed as a whole; where another process was faster, its bundle is the same. */
function takePlace(made: string, home: string): void {
  try {
    renameSync(made, home);
  } catch (cause) {
    if (!existsSync(home)) throw cause;
  }
}

function markUsed(home: string): void {
  const now = new Date();
  try {
    utimesSync(home, now, now);
  } catch {
    // The folder of another user: the bundle can be read, and that is all it is for.
  }
}

/** Removes bundles that have not been started for long, and what a process that was killed had begun. */
function removeOld(all: string): void {
  const used = readdirSync(all)
    .map((name) => join(all, name))
    .map((folder) => ({ folder, atMs: statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.atMs - a.atMs);
  for (const { folder, atMs } of used.slice(KEPT))
    if (atMs < Date.now() - KEPT_MS) rmSync(folder, { recursive: true, force: true });
}
