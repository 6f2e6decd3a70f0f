import type { Log } from '#shared/log.ts';
import { mayHoldBallast, type Relief, reliefAt } from '../../delivery/outbox/index.ts';
import { type DiskReading, diskPct } from '../index.ts';
import { type LaneExcess, lanesToDrop, mustCountBytes } from './lane-excess.ts';

const LOOK_MS = 60_000;
/** Ballast is written when the start is long over: the first minutes belong to alarms. */
const BALLAST_AFTER_LOOKS = 10;

type Lanes = Readonly<Record<'alarm' | 'svc' | 'audit' | 'usage', number>>;

export interface DiskSpacePorts {
  /** The disk of the journal; undefined: it cannot be read. */
  readonly disk: () => Promise<DiskReading | undefined>;
  /** A file that is there to be removed. */
  readonly ballast: {
    readonly bytes: number;
    readonly held: boolean;
    readonly hold: () => Promise<void>;
    readonly free: () => void;
  };
  readonly journal: {
    readonly clean: (nowMs: number) => Promise<unknown>;
    readonly waiting: () => Lanes;
    readonly waitingBytes: () => Promise<Lanes>;
    /** How many rows went. */
    readonly dropOldest: (lane: LaneExcess['lane'], bytes: number) => Promise<number>;
  };
  /** Removes recordings that the cloud has, the oldest first, as long as `isFull` says so; how many went. */
  readonly removeSynced: (isFull: () => Promise<boolean>) => Promise<number>;
  readonly wallMs: () => number;
  readonly startTimer: (delayMs: number, fire: () => void) => () => void;
  readonly log: Log;
}

/** Keeps room on the disk for alarms (control plane 5): quotas of lanes, ballast, and what goes when it fills up. */
export class DiskSpace {
  readonly #ports: DiskSpacePorts;
  #looks = 0;
  #stopTimer = (): void => undefined;
  #stopped = false;

  constructor(ports: DiskSpacePorts) {
    this.#ports = ports;
  }

  /** Looks each minute from now on. */
  start(): void {
    const { startTimer } = this.#ports;
    this.#stopTimer = startTimer(LOOK_MS, () => void this.#lookInTime());
  }

  stop(): void {
    this.#stopped = true;
    this.#stopTimer();
  }

  /** One look at the disk, and what follows from it. */
  async look(): Promise<void> {
    const { disk: read, journal, wallMs } = this.#ports;
    const disk = await read();
    if (disk === undefined) return;
    const fullPct = diskPct(disk);
    const relief = reliefAt(fullPct);
    if (relief.includes('freeBallast')) this.#freeBallast(fullPct);
    if (relief.includes('deleteLogs')) await journal.clean(wallMs());
    if (relief.includes('deleteSyncedRecordings')) await this.#removeRecordings();
    await this.#holdBallast(fullPct, disk.freeBytes);
    if (mustCountBytes(journal.waiting(), relief)) await this.#dropRows(relief, disk.totalBytes);
  }

  async #lookInTime(): Promise<void> {
    await this.look().catch((cause: unknown) =>
      this.#ports.log('error', 'disk_space.check_failed', 'Could not check the disk space', {
        cause: String(cause),
      }),
    );
    if (!this.#stopped) this.start();
  }

  #freeBallast(fullPct: number): void {
    const { ballast, log } = this.#ports;
    if (!ballast.held) return;
    ballast.free();
    log('error', 'disk_space.ballast_freed', 'The disk was full: freed the ballast for the journal', {
      fullPct: Math.round(fullPct),
    });
  }

  async #holdBallast(fullPct: number, freeBytes: number): Promise<void> {
    const { ballast } = this.#ports;
    if (++this.#looks >= BALLAST_AFTER_LOOKS && mayHoldBallast(fullPct, freeBytes, ballast.bytes))
      await ballast.hold();
  }

  async #removeRecordings(): Promise<void> {
    const { log, removeSynced } = this.#ports;
    const removed = await removeSynced(() => this.#needs('deleteSyncedRecordings'));
    if (removed > 0)
      log('warn', 'disk_space.recordings_removed', 'Removed uploaded recordings to free disk space', {
        removed,
      });
  }

  /** The disk is still as full as that. */
  async #needs(relief: Relief): Promise<boolean> {
    const disk = await this.#ports.disk();
    return disk !== undefined && reliefAt(diskPct(disk)).includes(relief);
  }

  async #dropRows(relief: readonly Relief[], totalBytes: number): Promise<void> {
    const { journal, log } = this.#ports;
    for (const { lane, bytes } of lanesToDrop(await journal.waitingBytes(), relief, totalBytes)) {
      const dropped = await journal.dropOldest(lane, bytes);
      if (dropped > 0)
        log('warn', 'disk_space.rows_dropped', 'Dropped the oldest events of a lane to free disk space', {
          lane,
          dropped,
        });
    }
  }
}
