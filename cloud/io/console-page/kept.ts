import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type ConsoleFiles, isMissing, type ReadConsole } from './built.ts';

/** Names of the files in the folder, of the version that runs and of the one before it. */
interface Kept {
  readonly now: readonly string[];
  readonly before: readonly string[];
}

const LIST = 'kept.json';
const NOTHING: Kept = { now: [], before: [] };

/**
 * Keeps the files of this version in `folder`, for the version after it, and gives a reader that finds those of the version
 * before there: a page that was open during an upgrade fetches its parts under their old names. A folder that cannot be
 * written costs such a page one reload and nothing else, so that a failure is given to `onFailure` and stops no start.
 */
export async function keepConsole(
  { names, read }: ConsoleFiles,
  folder: string,
  onFailure: (cause: unknown) => void,
): Promise<ReadConsole> {
  const kept = await take().catch((cause: unknown) => {
    onFailure(cause);
    return NOTHING;
  });
  const before = new Set(kept.before);
  return async (name) =>
    (await read(name)) ?? (before.has(name) ? await readFile(placeOf(name)).catch(isMissing) : undefined);

  async function take(): Promise<Kept> {
    const last = await listed(folder);
    const now = (await names()).filter((name) => name.startsWith('asset/'));
    if (now.length === last.now.length && now.every((name) => last.now.includes(name))) return last;
    await mkdir(folder, { recursive: true });
    for (const name of now) {
      const bytes = await read(name);
      if (bytes !== undefined) await writeFile(placeOf(name), bytes);
    }
    const next: Kept = { now, before: last.now };
    await writeFile(join(folder, `${LIST}.new`), JSON.stringify(next));
    await rename(join(folder, `${LIST}.new`), join(folder, LIST));
    const wanted = new Set([...next.now, ...next.before]);
    for (const name of last.before) if (!wanted.has(name)) await rm(placeOf(name), { force: true });
    return next;
  }

  function placeOf(name: string): string {
    return join(folder, basename(name));
  }
}

async function listed(folder: string): Promise<Kept> {
  const text = await readFile(join(folder, LIST), 'utf8').catch(isMissing);
  return text === undefined ? NOTHING : (JSON.parse(text) as Kept);
}
