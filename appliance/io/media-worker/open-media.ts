import { availableParallelism } from 'node:os';
import { Listeners } from '#shared/listeners.ts';
import type { FreeLegs, Media, MediaEvent } from '../../media/control/index.ts';
import { commandsOver, type OverloadSetting } from '../../media/engine/index.ts';
import type { Log } from '../system/index.ts';
import { MediaFleet } from './media-fleet.ts';
import type { WorkerLoad } from './message.ts';
import { LEG_LIMITS, type LegLimits } from './placement.ts';

const WARM_UP_MS = 500;

export interface MediaSetting extends Pick<OverloadSetting, 'saturatedShare'> {
  /** Range for RTP and RTCP, both ends included. */
  readonly ports: { readonly from: number; readonly to: number };
  /** Default: cores − 1, at least 1. */
  readonly workers?: number;
  /** Addresses to listen at; default all. */
  readonly host4?: string;
  readonly host6?: string;
  readonly warmUpMs?: number;
  /** A slice later than this is too late (three in a second are reported, and refuse nothing); default 10 ms. */
  readonly tooLateMs?: number;
  /** Legs that a worker takes; default 500, for alarms 800, and fewer than 50 are never refused. */
  readonly legs?: Partial<LegLimits>;
  readonly log: Log;
}

/** The real `Media`: engines on threads of their own. */
export interface OpenMedia extends Media {
  /** How each worker does; undefined: it is being started. */
  load(): Promise<readonly (WorkerLoad | undefined)[]>;
  /** Legs that could be opened now. */
  freeLegs(): FreeLegs;
  /** Says BYE on all legs and ends the threads. */
  close(): Promise<void>;
  /** A worker ends without a word, as when it crashes; for tests of the failure. */
  crash(worker: number): Promise<void>;
}

/** Media whose threads are being started. */
export interface StartedMedia extends OpenMedia {
  /** Resolves when all are warm; until then no leg may be opened. Rejects when one cannot be started. */
  readonly warm: Promise<void>;
}

/** Starts the workers; resolves when all are warm. */
export async function openMedia(setting: MediaSetting): Promise<OpenMedia> {
  const media = startMedia(setting);
  await media.warm;
  return media;
}

/** Starts the workers and does not wait for them. */
export function startMedia(setting: MediaSetting): StartedMedia {
  const {
    ports,
    host4 = '0.0.0.0',
    host6 = '::',
    warmUpMs = WARM_UP_MS,
    tooLateMs,
    saturatedShare,
    log,
  } = setting;
  const workers = setting.workers ?? Math.max(1, availableParallelism() - 1);
  const limits = { ...LEG_LIMITS, ...setting.legs };
  const events = new Listeners<[event: MediaEvent]>();
  const fleet = new MediaFleet(
    { ports, workers, host4, host6, warmUpMs, tooLateMs, saturatedShare, limits, log },
    (event) => events.emit(event),
  );
  const warm = fleet.start();
  // The caller that waits for it gets the error; no caller waits when an earlier step fails.
  warm.catch(() => undefined);
  return {
    warm,
    ...commandsOver((command) => fleet.command(command)),
    openLeg: (opening) => fleet.open(opening),
    events,
    load: () => fleet.load(),
    freeLegs: () => fleet.freeLegs(),
    close: () => fleet.close(),
    crash: (worker) => fleet.crash(worker),
  };
}
