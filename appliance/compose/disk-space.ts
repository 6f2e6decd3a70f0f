import { removeSynced } from '../call/sound/index.ts';
import type { OpenJournal } from '../io/sqlite/index.ts';
import { BALLAST_BYTES, type Log, openBallast, readDisk } from '../io/system/index.ts';
import type { StartTimer } from '../kernel/one-shot.ts';
import type { RecordingStore } from '../media/recording/index.ts';
import { DiskSpace, type DiskSpacePorts } from '../site/system/index.ts';
import { clock } from './adapters.ts';

export interface DiskSpaceDependencies {
  readonly journal: OpenJournal;
  readonly recordingStore: Pick<RecordingStore, 'all' | 'remove'>;
  readonly startTimer: StartTimer;
  readonly log: Log;
  /** The disk that the folder lies on; undefined: it cannot be read. */
  readonly disk?: DiskSpacePorts['disk'];
}

/** Room for alarms on the disk of `folder`, not yet looked after. */
export function openDiskSpace(
  folder: string,
  { journal, recordingStore, startTimer, log, disk = () => readDisk(folder) }: DiskSpaceDependencies,
): DiskSpace {
  const ballast = openBallast(folder);
  return new DiskSpace({
    disk,
    ballast: {
      bytes: BALLAST_BYTES,
      get held() {
        return ballast.held;
      },
      hold: ballast.hold,
      free: ballast.free,
    },
    journal,
    removeSynced: (isFull) => removeSynced(recordingStore, isFull),
    wallMs: clock.wallMs,
    startTimer,
    log,
  });
}
