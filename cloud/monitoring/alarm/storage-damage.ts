import type { PlatformAlarmTable } from './platform-alarm-table.ts';

/** A file that stands for damage which a person has to deal with. */
interface Damaged {
  readonly file: string;
  readonly kind: 'damaged' | 'removed';
  /** Epoch ms. */
  readonly atMs: number;
}

export interface StorageDamagePort {
  /** The files that a salvage or a restoration left beside the database. */
  readonly damaged: () => readonly Damaged[];
  readonly platform: Pick<PlatformAlarmTable, 'raise' | 'clear'>;
}

/**
 * A round that raises `storageDamaged` for each such file beside the database, and clears it when that file was moved away. Chosen: the
 * file itself holds the alarm, so that it lasts over every restart until a person has looked at the disk and moved the file away.
 */
export function createStorageDamageWatch({ damaged, platform }: StorageDamagePort): () => void {
  let raised: readonly string[] = [];
  return () => {
    const found = damaged();
    const files = found.map(({ file }) => file);
    for (const subject of raised)
      if (!files.includes(subject)) platform.clear({ error: 'storageDamaged', subject });
    for (const { file, kind, atMs } of found)
      platform.raise({ error: 'storageDamaged', subject: file, message: SENTENCE[kind](file, atMs) });
    raised = files;
  };
}

const SENTENCE: Readonly<Record<Damaged['kind'], (file: string, atMs: number) => string>> = {
  damaged: (file, atMs) =>
    `The database of the control plane was damaged. The start of ${timeOf(atMs)} read every row of it into a new file, and ${file} is the damaged one. Check the disk, make a support bundle, and move the damaged file away: then this alarm ends.`,
  removed: (file, atMs) =>
    `The file of the database was removed or replaced at ${timeOf(atMs)} while the control plane ran. The program has restored it and no row is missing. Find out who removes files from its folder, stop the program before a backup is put back, and remove the note ${file}: then this alarm ends.`,
};

const timeOf = (atMs: number): string => new Date(atMs).toISOString();
