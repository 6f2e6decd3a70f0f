import { existsSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A text as a file of the data folder, replaced as a whole; a write that is cut off leaves the one before. */
export function keptText(folder: string, name: string) {
  const file = join(folder, name);
  return {
    load: (): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
    save: async (text: string): Promise<void> => {
      await writeFile(`${file}.new`, text, { mode: 0o600 });
      await rename(`${file}.new`, file);
    },
  };
}
