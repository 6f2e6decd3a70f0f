import type { Log } from '#shared/log.ts';
import type { PlatformAlarms } from '../../delivery/platform-alarms.ts';

/** A store that was found damaged, in the words of the platform alarm that tells of it. */
export interface Damage {
  readonly store: 'journal' | 'replica' | 'recording' | 'record';
  /** Where the damaged file lies now. */
  readonly file: string;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
  /** The alarm is on the disk: it need not be reported again. */
  readonly onReported: () => Promise<void>;
}

/**
 * Damage is salvaged and reported: the program keeps all that can be read of a damaged store, and names the rest to a person.
 * The start finds damage before it can report it, so that it is noted here first. A start that ends before the report finds it
 * again.
 */
export interface DamageReports {
  readonly found: (damage: Damage) => void;
  /** From now on there is a tenant to tell. */
  readonly tellBy: (alarms: Pick<PlatformAlarms, 'raiseStored'>) => Promise<void>;
}

export function openDamageReports(log: Log, hostId: () => string): DamageReports {
  const waiting = new Map<string, Damage>();
  let alarms: Pick<PlatformAlarms, 'raiseStored'> | undefined;

  const tell = async (): Promise<void> => {
    if (alarms === undefined) return;
    for (const [file, { store, message, facts, onReported }] of [...waiting]) {
      waiting.delete(file);
      const errorDetails = {
        severity: 'critical',
        store,
        hostId: hostId(),
        file,
        message,
        reason: message,
        ...facts,
      };
      try {
        await alarms.raiseStored({ type: 'serviceAlarm', error: 'storageDamaged', errorDetails });
        await onReported();
      } catch (cause) {
        log('error', 'damaged_store.alarm_failed', 'Could not store the alarm about a damaged store', {
          file,
          cause: String(cause),
        });
      }
    }
  };

  return {
    found: (damage) => {
      log('error', 'damaged_store.found', 'Found a damaged store and set its file aside', {
        file: damage.file,
        reason: damage.message,
        ...damage.facts,
      });
      waiting.set(damage.file, damage);
      void tell();
    },
    tellBy: async (given) => {
      alarms = given;
      await tell();
    },
  };
}

/** A journal that was damaged, and what could be taken out of it. */
export interface SalvagedJournal {
  readonly file: string;
  readonly fault: string;
  readonly recovered: unknown;
  readonly lost: unknown;
  readonly unreadable: unknown;
  /** Callbacks that waited. */
  readonly waiting: number;
  readonly from?: unknown;
  readonly to?: unknown;
  /** Why nothing could be taken out of it. */
  readonly failed?: string | undefined;
  /** The file was removed or replaced under the running program; no row is missing. */
  readonly removed?: true | undefined;
}

/** The journal: what is in the new one, and what is not. */
export function journalDamage(salvage: SalvagedJournal, onReported: Damage['onReported']): Damage {
  const { file, fault, recovered, lost, unreadable, waiting, from, to, failed, removed } = salvage;
  const damaged =
    failed === undefined
      ? `the journal was damaged; what could be read of it was taken into a new one, and ${waiting} callbacks that waited are delivered late`
      : `the journal was damaged and nothing could be taken out of it (${failed}); a new one was begun`;
  const message = removed
    ? removedSentence('the journal')
    : `${damaged}. Keep the file, make a support bundle and change the disk.`;
  return {
    store: 'journal',
    file,
    message,
    facts: {
      fault,
      recovered,
      lost,
      unreadable,
      waiting,
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(failed !== undefined && { failed }),
    },
    onReported,
  };
}

const removedSentence = (store: string): string =>
  `the file of ${store} was removed or replaced while the program ran; the program has restored it and no row is missing. Find out who removes files from the data folder, and leave its files alone while the program runs.`;

interface DamagedFile {
  /** Where the damaged file lies now, or what stood in the place of a removed one. */
  readonly file: string;
  readonly fault: string;
  /** The file was removed or replaced under the running program; no row is missing. */
  readonly removed?: true | undefined;
  /** There was no file at the start, and there was one before. */
  readonly missing?: true | undefined;
}

/** A file of recordings: it stays in its place until a person is notified, then `setAside` moves it. */
export function recordingDamage(
  { path, fault, atMs }: { readonly path: string; readonly fault: string; readonly atMs: number },
  setAside: (file: string) => Promise<void>,
): Damage {
  const file = `${path}.damaged-${atMs}`;
  return {
    store: 'recording',
    file,
    message:
      'a file of the recordings of this host was damaged; the others are whole, and the damaged one was set aside. Make a support bundle and check the disk.',
    facts: { fault },
    onReported: () => setAside(file),
  };
}

/** The copy of the configuration: it comes again from the cloud, what people on site have set does not. */
export const replicaDamage = ({ file, fault, removed, missing }: DamagedFile): Damage => ({
  store: 'replica',
  file,
  message: removed
    ? removedSentence('the configuration')
    : missing
      ? 'the copy of the configuration was missing at the start; the last good one stands in until the cloud sends what is newer, and overrides of this host are lost. Find out who removes files from the data folder.'
      : 'the copy of the configuration was damaged; it is fetched again from the cloud, and overrides of this host are lost. Keep the file, make a support bundle and change the disk.',
  facts: { fault },
  onReported: async () => undefined,
});

/** The records of sessions; `rows`: those that could be read. */
export const recordDamage = ({
  file,
  fault,
  removed,
  rows,
}: DamagedFile & { readonly rows: number }): Damage => ({
  store: 'record',
  file,
  message: removed
    ? removedSentence('the records of sessions')
    : `the records of sessions were damaged; ${rows} of them could be read and are in a new file. Alarms are not concerned. Keep the file, make a support bundle and change the disk.`,
  facts: { fault, rows },
  onReported: async () => undefined,
});
