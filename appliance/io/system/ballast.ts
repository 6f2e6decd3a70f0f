import { existsSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';

/** Size of the ballast. */
export const BALLAST_BYTES = 128 * 1_048_576;

const FILE = 'ballast';
const CHUNK = Buffer.alloc(1_048_576);

/**
 * A file that is there to be removed: when the disk is full, its room lets the journal go on while people come. Written
 * out, since a file with holes keeps no room.
 */
export interface Ballast {
  readonly held: boolean;
  readonly hold: () => Promise<void>;
  readonly free: () => void;
}

export function openBallast(folder: string, bytes = BALLAST_BYTES): Ballast {
  const file = join(folder, FILE);
  return {
    get held() {
      return existsSync(file);
    },
    async hold() {
      if (existsSync(file)) return;
      const beside = `${file}.new`;
      const handle = await open(beside, 'w', 0o600);
      try {
        for (let written = 0; written < bytes; written += CHUNK.length) await handle.write(CHUNK);
        await handle.sync();
      } catch (cause) {
        rmSync(beside, { force: true });
        throw cause;
      } finally {
        await handle.close();
      }
      await rename(beside, file);
    },
    free: () => rmSync(file, { force: true }),
  };
}
