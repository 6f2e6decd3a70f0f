import { MediaQuality, measured } from '../engine/media-quality.ts';
import type { OpenMedia } from '../io/media-worker/index.ts';

type Loads = Awaited<ReturnType<OpenMedia['load']>>;
export type MeasuredMedia = Pick<OpenMedia, 'load' | 'freeLegs' | 'openLeg' | 'closeLeg' | 'events'>;

/** The media engine as everybody else gets it, and its figures. */
export interface FiguredMedia<M extends MeasuredMedia> {
  readonly media: M;
  readonly figures: () => Readonly<Record<string, number>>;
}

/**
 * Audio in `/metrics`: the quality of the legs and the state of the workers. The state of a worker is its last answer,
 * whichever part asked: the watch of the services does every few seconds, and each look asks again. A worker that is being
 * started has no figures. This wraps the engine once.
 *
 *   media_legs_free{profile}                                         legs that could be opened now, ordinary and of alarms
 *   media_worker_{late,overloaded}{worker}                           0 or 1: a warning; a reason to refuse new ordinary legs
 *   media_worker_{legs,cpu_ratio,lateness_max_seconds}{worker}       media_worker_{skipped_ticks,ring_overruns}_total{worker}
 *   media_worker_lateness_seconds{worker}                            histogram: how late its slices began
 */
export function mediaFigures<M extends MeasuredMedia>(engine: M): FiguredMedia<M> {
  const quality = new MediaQuality();
  let last: Loads = [];
  const load = async (): Promise<Loads> => {
    last = await engine.load();
    return last;
  };
  const media: M = { ...measured(engine, quality), load };
  const figures = () => {
    // A fleet that cannot answer is the business of the watch.
    media.load().catch(() => undefined);
    const workers = last.flatMap((load, worker) =>
      load === undefined ? [] : workerFigures(`worker="${worker}"`, load),
    );
    const free = Object.entries(media.freeLegs()).map(
      ([profile, legs]) => [`media_legs_free{profile="${profile}"}`, legs] as const,
    );
    return { ...quality.figures, ...Object.fromEntries([...free, ...workers]) };
  };
  return { media, figures };
}

function workerFigures(of: string, load: NonNullable<Loads[number]>): (readonly [string, number])[] {
  let upto = 0;
  const buckets = load.lateness.map(({ uptoMs, count }) => {
    upto += count;
    const edge = Number.isFinite(uptoMs) ? uptoMs / 1_000 : '+Inf';
    return [`media_worker_lateness_seconds_bucket{${of},le="${edge}"}`, upto] as const;
  });
  return [
    [`media_worker_legs{${of}}`, load.legs],
    [`media_worker_late{${of}}`, Number(load.late)],
    [`media_worker_overloaded{${of}}`, Number(load.overloaded)],
    [`media_worker_cpu_ratio{${of}}`, load.cpuShare],
    [`media_worker_skipped_ticks_total{${of}}`, load.skippedTicks],
    [`media_worker_ring_overruns_total{${of}}`, load.overruns],
    [`media_worker_lateness_max_seconds{${of}}`, load.latenessMaxMs / 1_000],
    ...buckets,
    [`media_worker_lateness_seconds_sum{${of}}`, load.latenessSumMs / 1_000],
    [`media_worker_lateness_seconds_count{${of}}`, upto],
  ];
}
