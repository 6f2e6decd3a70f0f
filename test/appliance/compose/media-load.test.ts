import { expect, it } from 'vitest';
import { watchMediaLoad } from '#appliance/compose/media-load.ts';
import type { MediaEvent } from '#appliance/media/control/index.ts';

it('is a fault from the first worker that is late to the last that keeps up again, and everybody else hears the engine too', () => {
  const heard: string[] = [];
  const media = { onEvent: ({ kind }: MediaEvent): void => void heard.push(kind) };
  const faults: boolean[] = [];
  watchMediaLoad(media, (message) => faults.push(message !== undefined));
  const late = (worker: number, on: boolean): void => media.onEvent({ kind: 'overload', worker, on });
  late(0, true);
  late(1, true);
  late(0, false);
  expect(faults).toEqual([true]);
  media.onEvent({ kind: 'lost', worker: 1, legs: [], conferences: [] });
  expect(faults).toEqual([true, false]);
  late(1, false);
  late(0, true);
  expect(faults).toEqual([true, false, true]);
  expect(heard).toHaveLength(6);
});
