import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const built = join(import.meta.dirname, '..', '..', 'console', 'dist');
/** The build lists what it has made: nothing else of the folder is read, whatever a request names. */
const LIST = 'files.json';

type Bytes = Uint8Array<ArrayBuffer>;
/** Reads one file by its name; undefined for a name that the console does not have. */
export type ReadConsole = (name: string) => Promise<Bytes | undefined>;

/** The files of a built console. */
export interface ConsoleFiles {
  readonly read: ReadConsole;
  readonly names: () => Promise<readonly string[]>;
}

interface List {
  readonly files: readonly string[];
  /** Files of the build before, for pages that were opened then. */
  readonly before: readonly string[];
}

/** False in a checkout in which `installer/build/console.mjs` never ran; `npm start` and the build run it. */
export const consoleIsBuilt = (): boolean => existsSync(join(built, LIST));

/** Undefined for a file that is not there; throws on. */
export function isMissing(cause: unknown): undefined {
  if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  throw cause;
}

/**
 * The files of the console that the build in `folder` and the one before it have made. A build beside the running program is
 * taken up with the first name that it brings.
 */
export function consoleFiles(folder = built): ConsoleFiles {
  const fetch = (name: string): Promise<Bytes> => readFile(join(folder, name));
  let known: ReadonlySet<string> = new Set();
  const look = async (): Promise<List> => {
    const list = JSON.parse(Buffer.from(await fetch(LIST)).toString('utf8')) as List;
    known = new Set([...list.files, ...list.before]);
    return list;
  };
  return {
    names: async () => (await look()).files,
    read: async (name) => {
      if (!known.has(name)) await look();
      return known.has(name) ? await fetch(name).catch(isMissing) : undefined;
    },
  };
}
