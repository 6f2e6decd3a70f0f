import { chownSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SELF_TEST_FILE, type SelfTestRecord } from '#shared/self-test/index.ts';

/**
 * Keeps the record with its time, also when root tested a folder of another user. A folder that cannot be written has a
 * point of its own that says so.
 */
export function keepRecord(folder: string, record: SelfTestRecord): void {
  const file = join(folder, SELF_TEST_FILE);
  const unfinished = `${file}.part`;
  try {
    writeFileSync(unfinished, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
    const { uid, gid } = statSync(folder);
    if (process.getuid?.() === 0) chownSync(unfinished, uid, gid);
    renameSync(unfinished, file);
  } catch {
    // Nothing depends on it.
  }
}

/** The last record; undefined: none is kept, or not for us to read. */
export function keptRecord(folder: string): SelfTestRecord | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, SELF_TEST_FILE), 'utf8')) as SelfTestRecord;
  } catch {
    return undefined;
  }
}
