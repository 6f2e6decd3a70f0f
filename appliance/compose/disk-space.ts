import { removeSynced } from '../call/sound/index.ts';
import { laneLimits, mayHoldBallast, type Relief, reliefAt } from '../delivery/outbox/index.ts';
import type { OpenJournal } from '../io/sqlite/index.ts';
import { BALLAST_BYTES, type Log, openBallast, readDisk, startTicker } from '../io/system/index.ts';
import type { RecordingStore } from '../media/recording/index.ts';
import { type DiskReading, diskPct } from '../site/index.ts';
import { clock } from './adapters.ts';

const LOOK_MS = 60_000;
/** Ballast is written when the start is long over: the first minutes belong to alarms. */
const BALLAST_AFTER_LOOKS = 10;
/** Chosen: what waits may take a quarter of the disk, at most a GiB; nine days of a busy site fit into it. */
const BUDGET_SHARE = 0.25;
const BUDGET_BYTES = 1_073_741_824;
/** Counting bytes reads every row that waits: it is done only when there are many, or the disk is nearly full. */
const MANY_ROWS = 10_000;
const LANES = ['usage', 'audit', 'svc'] as const;

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
    const rows = journal.waiting();
    const many = rows.alarm + rows.svc + rows.audit + rows.usage > MANY_ROWS;
    if (!many && !relief.includes('dropUsage')) return;
    const waiting = await journal.waitingBytes();
    const budget = Math.min(BUDGET_BYTES, BUDGET_SHARE * disk.totalBytes);
    const limits = laneLimits(waiting, relief.includes('dropUsage') ? 0 : budget);
    for (const lane of relief.includes('dropUsage') ? (['usage'] as const) : LANES) {
      const excess = waiting[lane] - limits[lane];
      const dropped = excess > 0 ? await journal.dropOldest(lane, excess) : 0;
      if (dropped > 0)
        log('warn', 'disk_space.rows_dropped', 'Dropped the oldest events of a lane to free disk space', {
          lane,
          dropped,
        });
    }
  };
}
