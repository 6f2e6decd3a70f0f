import { unwatchFile, watchFile } from 'node:fs';

const LOOK_EVERY_MS = 5_000;

/** Calls `changed` when one of the files has another content or time; by looking, since certificates are often links. */
export function watchFiles(files: readonly string[], changed: () => void): () => void {
  const look = (now: { readonly mtimeMs: number }, before: { readonly mtimeMs: number }): void => {
    if (now.mtimeMs !== before.mtimeMs) changed();
  };
  for (const file of files) watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, look);
  return () => {
    for (const file of files) unwatchFile(file, look);
  };
}
