import type { Media } from '../../media/control/index.ts';
import type { LateReading } from '../index.ts';

/** The load of all media workers together. */
export interface MediaLoad {
  /** How the processor serves them, for the gauge. */
  readonly reading: (nowMs: number) => LateReading;
}

/**
 * Two things that must not be taken for each other. A media worker that is overloaded by its own calls takes no new ordinary
 * ones: that is reported like a service that is not well, until none is any more. One that is late refuses nothing: how long
 * that lasts is for the gauge of the processor (`judgeLate`).
 *
 * @param fault what is wrong and what can be done; undefined: nothing any more
 */
export function watchMediaLoad(
  media: Pick<Media, 'events'>,
  monoMs: () => number,
  fault: (message: string | undefined) => void,
): MediaLoad {
  const overloaded = new Set<number>();
  const late = new Set<number>();
  let lateUntilMs = Number.NEGATIVE_INFINITY;
  media.events.add((event) => {
    const [before, wasLate] = [overloaded.size, late.size > 0];
    if (event.kind === 'overload' && event.on) overloaded.add(event.worker);
    // The one that follows a dead worker begins in time.
    else if (event.kind === 'overload' || event.kind === 'lost') overloaded.delete(event.worker);
    if (event.kind === 'late' && event.on) late.add(event.worker);
    else if (event.kind === 'late' || event.kind === 'lost') late.delete(event.worker);
    if (wasLate && late.size === 0) lateUntilMs = monoMs();
    if (before === 0 && overloaded.size > 0)
      fault(
        'audio has too much to do by its own calls: new ordinary calls get 503, alarms and running calls go on; spread calls over more hosts',
      );
    if (before > 0 && overloaded.size === 0) fault(undefined);
  });
  return {
    reading: (nowMs) => ({
      late: late.size > 0,
      inTimeMs: late.size > 0 ? 0 : nowMs - lateUntilMs,
    }),
  };
}
