import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';

/**
 * Writes a file that only its owner may read, whole or not at all: beside it first, then renamed over it.
 * `mode` is 0o400 for keys that never change, 0o600 else.
 */
export function writePrivateFile(path: string, text: string, mode: 0o400 | 0o600): void {
  const beside = `${path}.new`;
  const file = openSync(beside, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  chmodSync(beside, mode);
  renameSync(beside, path);
}

/** A renamed file keeps its new name over a power cut only once its folder is synced. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** The file's text, or the one made now and kept. */
export function keptText(path: string, mode: 0o400 | 0o600, make: () => string): string {
  if (existsSync(path)) return readFileSync(path, 'utf8');
  const text = make();
  writePrivateFile(path, text, mode);
  return text;
}
