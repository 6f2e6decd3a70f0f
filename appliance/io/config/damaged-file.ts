import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Chosen: a person looks at a damaged file within a month. */
const KEPT_MS = 30 * 86_400_000;
/** Chosen: damaged files of a folder take no more of the disk; the newest one stays, whatever it takes. */
const QUOTA_BYTES = 2 * 1024 * 1024 * 1024;

/** `journal.db.damaged-1764115200000`, also with `-wal` or `-shm`. */
const NAME = /^(.*\.damaged-(\d{1,15}))(?:-wal|-shm)?$/;

/**
 * Removes damaged files that were set aside 30 days ago, and the oldest ones above 2 GiB. Files that belong together go together.
 * Gives the names of those that were removed.
 *
 * @param nowMs epoch ms
 */
export function removeAgedDamage(folder: string, nowMs: number, quotaBytes = QUOTA_BYTES): readonly string[] {
  const sets = new Map<string, { readonly atMs: number; readonly files: string[]; bytes: number }>();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const [, name = '', at] = NAME.exec(entry.name) ?? [];
    const found = entry.isFile() ? statSync(join(folder, entry.name), { throwIfNoEntry: false }) : undefined;
    if (name === '' || found === undefined) continue;
    const set = sets.get(name) ?? { atMs: Number(at), files: [], bytes: 0 };
    set.files.push(entry.name);
    set.bytes += found.size;
    sets.set(name, set);
  }
  const removed: string[] = [];
  let bytes = 0;
  for (const [index, set] of [...sets.values()].sort((a, b) => b.atMs - a.atMs).entries()) {
    bytes += set.bytes;
    if (set.atMs > nowMs - KEPT_MS && (index === 0 || bytes <= quotaBytes)) continue;
    bytes -= set.bytes;
    for (const file of set.files) rmSync(join(folder, file), { force: true });
    removed.push(...set.files);
  }
  return removed.sort();
}
