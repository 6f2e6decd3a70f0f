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
    for (const each of found)
      platform.raise({ error: 'storageDamaged', subject: each.file, message: sentenceOf(each) });
    raised = files;
  };
}

function sentenceOf({ file, kind, atMs }: Damaged): string {
  const time = new Date(atMs).toISOString();
  return kind === 'damaged'
    ? `The database of the control plane was damaged. The start of ${time} read every row of it into a new file, and ${file} is the damaged one. Check the disk, make a support bundle, and move the damaged file away: then this alarm ends.`
    : `The file of the database was removed or replaced at ${time} while the control plane ran. The program has restored it and no row is missing. Find out who removes files from its folder, stop the program before a backup is put back, and remove the note ${file}: then this alarm ends.`;
}
