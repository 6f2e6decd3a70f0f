import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const built = join(import.meta.dirname, '..', '..', 'console', 'dist');

/** False in a checkout in which `installer/build/console.mjs` never ran; `npm start` and the build run it. */
export const consoleIsBuilt = (): boolean => existsSync(join(built, 'index.html'));

/** Reads one file of the console. `name` comes from the list of `cloud/http/console.ts`, never from a request. */
export const readConsoleFile = (name: string): Promise<Uint8Array<ArrayBuffer>> =>
  readFile(join(built, name));
