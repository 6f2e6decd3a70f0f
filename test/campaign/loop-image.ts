import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, needRoot } from './command.ts';

/** An ext4 disk in a file, mounted: what it holds at any moment is what a power cut would leave. */
export interface LoopImage {
  /** Where it is mounted. */
  readonly folder: string;
  /**
   * The power cut: copies the image as it is now, without what the kernel still holds in memory, and mounts the copy.
   * ext4 replays its own journal, as after a real cut.
   */
  readonly cut: () => LoopImage;
  readonly unmount: () => void;
}

const MEGABYTE = 1 << 20;

/** Makes an image of `megabytes` under `folder` and mounts it. Throws `NotPossible` where the machine refuses. */
export function loopImage(folder: string, name: string, megabytes: number): LoopImage {
  needRoot('a disk in a file');
  const file = join(folder, `${name}.img`);
  writeFileSync(file, '');
  truncateSync(file, megabytes * MEGABYTE);
  // Without the lazy part: a thread of the kernel would otherwise write to the disk while the load runs.
  command('mkfs.ext4', '-q', '-F', '-E', 'lazy_itable_init=0,lazy_journal_init=0', file);
  return mounted(folder, name, file);
}

function mounted(folder: string, name: string, file: string): LoopImage {
  const place = join(folder, name);
  mkdirSync(place);
  // The file system shall not write by itself what no program synced: its own interval is longer than any run.
  command('mount', '-o', 'loop,commit=900', file, place);
  return {
    folder: place,
    cut: () => {
      const copy = join(folder, `${name}-after.img`);
      command('cp', '--sparse=always', file, copy);
      return mounted(folder, `${name}-after`, copy);
    },
    unmount: () => void command('umount', place),
  };
}
