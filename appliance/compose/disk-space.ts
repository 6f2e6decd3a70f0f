import { removeSynced } from '../call/sound/index.ts';
import { mayHoldBallast, type Relief, reliefAt } from '../delivery/outbox/index.ts';
import type { OpenJournal } from '../io/sqlite/index.ts';
import { BALLAST_BYTES, type Log, openBallast, readDisk, startTicker } from '../io/system/index.ts';
import type { RecordingStore } from '../media/recording/index.ts';
import { lanesToDrop, mustCountBytes } from '../site/host/disk-space.ts';
import { type DiskReading, diskPct } from '../site/index.ts';
import { clock } from './adapters.ts';

const LOOK_MS = 60_000;
/** Ballast is written when the start is long over: the first minutes belong to alarms. */
const BALLAST_AFTER_LOOKS = 10;

export interface DiskSpaceDependencies {
  readonly journal: OpenJournal;
  readonly shelf: Pick<RecordingStore, 'all' | 'remove'>;
  readonly log: Log;
  /** The disk that the folder lies on; undefined: it cannot be read. */
  readonly disk?: () => Promise<DiskReading | undefined>;
}

/** Keeps room on the disk for alarms (control plane 5): quotas of lanes, ballast, and what goes when it fills up. */
export function watchDiskSpace(folder: string, dependencies: DiskSpaceDependencies): () => void {
  const { log } = dependencies;
  const look = checkDiskSpace(folder, dependencies);
  const failed = (cause: unknown): void =>
    log('error', 'disk_space.check_failed', 'Could not check the disk space', { cause: String(cause) });
  return startTicker(LOOK_MS, () => void look().catch(failed), failed);
}

/** One look at the disk, and what follows from it. */
export function checkDiskSpace(
  folder: string,
  { journal, shelf, log, disk: read = () => readDisk(folder) }: DiskSpaceDependencies,
): () => Promise<void> {
  const ballast = openBallast(folder);
  let looks = 0;

  /** As long as the disk is as full as that. */
  const needs = async (relief: Relief): Promise<boolean> => {
    const disk = await read();
    return disk !== undefined && reliefAt(diskPct(disk)).includes(relief);
  };

  return async () => {
    const disk = await read();
    if (disk === undefined) return;
    const full = diskPct(disk);
    const relief = reliefAt(full);
    if (relief.includes('freeBallast') && ballast.held) {
      ballast.free();
      log('error', 'disk_space.ballast_freed', 'The disk was full: freed the ballast for the journal', {
        fullPct: Math.round(full),
      });
    }
    if (relief.includes('deleteLogs')) await journal.clean(clock.wallMs());
    if (relief.includes('deleteSyncedRecordings')) {
      const gone = await removeSynced(shelf, () => needs('deleteSyncedRecordings'));
      if (gone > 0)
        log('warn', 'disk_space.recordings_removed', 'Removed uploaded recordings to free disk space', {
          removed: gone,
        });
    }
    if (++looks >= BALLAST_AFTER_LOOKS && mayHoldBallast(full, disk.freeBytes, BALLAST_BYTES))
      await ballast.hold();
    if (!mustCountBytes(journal.waiting(), relief)) return;
    for (const { lane, bytes } of lanesToDrop(await journal.waitingBytes(), relief, disk.totalBytes)) {
      const dropped = await journal.dropOldest(lane, bytes);
      if (dropped > 0)
        log('warn', 'disk_space.rows_dropped', 'Dropped the oldest events of a lane to free disk space', {
          lane,
          dropped,
        });
    }
  };
}
