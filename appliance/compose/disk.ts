import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApplianceConfig } from '../config.ts';
import {
  type JournalSetting,
  lockFolder,
  type OpenJournal,
  openJournal,
  watchedJournal,
} from '../io/sqlite/index.ts';
import { type DamageReports, journalDamage } from '../site/supervision/index.ts';
import { clock } from './adapters.ts';

interface Disk {
  readonly journal: OpenJournal;
  /** The same journal for whoever writes alarms, and whether it can be written now. */
  readonly disk: ReturnType<typeof watchedJournal>;
}

/**
 * The data folder, for this process alone, and the journal in it. `synced` hears how long each COMMIT waited for the disk, ms.
 * Throws with the file in the message.
 */
export async function openDisk(
  { data, retention }: Pick<ApplianceConfig, 'data' | 'retention'>,
  synced: (ms: readonly number[]) => void,
  damage: DamageReports,
  closing: (() => unknown)[],
): Promise<Disk> {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(data);
  closing.push(unlock);
  const onBatch: JournalSetting['onBatch'] = (_callers, _ms, syncs) => synced(syncs);
  const journal = await openJournal({
    file: join(data, 'journal.db'),
    retention,
    onBatch,
    onSalvaged: (salvage) => damage.found(journalDamage(salvage, told)),
  });
  const told = () => journal.salvageTold();
  closing.push(() => journal.close());
  if (journal.salvage !== undefined) damage.found(journalDamage(journal.salvage, told));
  return { journal, disk: watchedJournal(journal, clock.monoMs) };
}

/** Certificates that are trusted beside the usual ones (PEM); undefined: none. */
export function trustOf({ trustFile }: Pick<ApplianceConfig, 'trustFile'>): string | undefined {
  if (trustFile === undefined) return undefined;
  try {
    return readFileSync(trustFile, 'utf8');
  } catch (cause) {
    throw new Error(`CARILLON_TRUST cannot be read: ${(cause as Error).message}`);
  }
}
