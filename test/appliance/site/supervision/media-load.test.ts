import { describe, expect, it } from 'vitest';
import type { MediaEvent } from '#appliance/media/control/index.ts';
import { watchMediaLoad } from '#appliance/site/supervision/index.ts';
import { Listeners } from '#shared/listeners.ts';

function stage() {
  const received: string[] = [];
  const media = { events: new Listeners<[event: MediaEvent]>() };
  media.events.add(({ kind }) => received.push(kind));
  const faults: boolean[] = [];
  const clock = { nowMs: 0 };
  const load = watchMediaLoad(
    media,
    () => clock.nowMs,
    (message) => faults.push(message !== undefined),
  );
  const tell = (kind: 'late' | 'overload', worker: number, on: boolean): void =>
    media.events.emit({ kind, worker, on });
  const dies = (worker: number): void =>
    media.events.emit({ kind: 'lost', worker, legs: [], conferences: [] });
  return { heard: received, faults, clock, load, tell, dies };
}

describe('the load of media', () => {
  it('is a fault from the first worker that is overloaded to the last that is relieved, and everybody else hears the engine too', () => {
    const { heard: received, faults, tell, dies } = stage();
    tell('overload', 0, true);
    tell('overload', 1, true);
    tell('overload', 0, false);
    expect(faults).toEqual([true]);
    dies(1);
    expect(faults).toEqual([true, false]);
    tell('overload', 1, false);
    tell('overload', 0, true);
    expect(faults).toEqual([true, false, true]);
    expect(received).toHaveLength(6);
  });

  it('is no fault while a worker is late: the gauge of the processor is informed, and since when no more', () => {
    const { faults, clock, load, tell, dies } = stage();
    expect(load.reading(5_000)).toEqual({ late: false, inTimeMs: Number.POSITIVE_INFINITY });
    tell('late', 0, true);
    tell('late', 1, true);
    tell('late', 0, false);
    expect(load.reading(5_000)).toEqual({ late: true, inTimeMs: 0 });
    clock.nowMs = 6_000;
    dies(1);
    expect(load.reading(7_500)).toEqual({ late: false, inTimeMs: 1_500 });
    expect(faults).toEqual([]);
  });
});
