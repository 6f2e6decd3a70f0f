import { existsSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HandshakeStore } from '../runtime/handshake/index.ts';

/** The statistics of handshakes as a file of the data folder; a write that is cut off leaves the one before. */
export function handshakeStore(folder: string): HandshakeStore {
  const file = join(folder, 'handshake.json');
  return {
    load: () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
    save: async (text) => {
      await writeFile(`${file}.new`, text, { mode: 0o600 });
      await rename(`${file}.new`, file);
    },
  };
}
