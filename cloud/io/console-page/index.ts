import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const built = join(import.meta.dirname, '..', '..', 'console', 'dist');
/** The build lists what it has made: nothing else of the folder is read, whatever a request names. */
const LIST = 'files.json';

type Bytes = Uint8Array<ArrayBuffer>;
interface List {
  readonly files: readonly string[];
  /** Files of the build before, for pages that were opened then. */
  readonly before: readonly string[];
}

/** False in a checkout in which `installer/build/console.mjs` never ran; `npm start` and the build run it. */
export const consoleIsBuilt = (): boolean => existsSync(join(built, LIST));

/**
 * Reads files of the console that the build in `folder` and the one before it have made; undefined for any other name. A
 * build beside the running program is taken up with the first name that it brings.
 */
export function consoleReader(folder = built): (name: string) => Promise<Bytes | undefined> {
  const read = (name: string): Promise<Bytes> => readFile(join(folder, name));
  let names: ReadonlySet<string> = new Set();
  const isListed = async (name: string): Promise<boolean> => {
    if (names.has(name)) return true;
    const { files, before } = JSON.parse(Buffer.from(await read(LIST)).toString('utf8')) as List;
    names = new Set([...files, ...before]);
    return names.has(name);
  };
  const isMissing = (cause: unknown): undefined => {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  };
  return async (name) => ((await isListed(name)) ? await read(name).catch(isMissing) : undefined);
}
