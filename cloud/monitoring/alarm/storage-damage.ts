import type { PlatformAlarmTable } from './platform-alarm-table.ts';

/** A damaged file that a person has to deal with. */
interface Damaged {
  readonly file: string;
  /** Epoch ms at which it was set aside. */
  readonly atMs: number;
}

export interface StorageDamagePort {
  /** The damaged files that lie beside the database. */
  readonly damaged: () => readonly Damaged[];
  readonly platform: Pick<PlatformAlarmTable, 'raise' | 'clear'>;
}

/**
 * A round that raises `storageDamaged` for each damaged file beside the database, and clears it when that file was moved away. Chosen: the
 * file itself holds the alarm, so that it lasts over every restart until a person has looked at the disk and moved the file away.
 */
export function createStorageDamageWatch({ damaged, platform }: StorageDamagePort): () => void {
  let raised: readonly string[] = [];
  return () => {
    const found = damaged();
    const files = found.map(({ file }) => file);
    for (const subject of raised)
      if (!files.includes(subject)) platform.clear({ error: 'storageDamaged', subject });
    for (const { file, atMs } of found)
      platform.raise({ error: 'storageDamaged', subject: file, message: sentence(file, atMs) });
    raised = files;
  };
}

const sentence = (file: string, atMs: number): string =>
  `The database of the control plane was damaged. The start of ${new Date(atMs).toISOString()} read every row of it into a new file, and ${file} is the damaged one. Check the disk, make a support bundle, and move the damaged file away: then this alarm ends.`;
