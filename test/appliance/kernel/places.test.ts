import { expect, it } from 'vitest';
import { openTimers } from '#appliance/kernel/engine-timers.ts';
import { Places } from '#appliance/kernel/places.ts';

const ports = { clock: { monoMs: () => 0, wallMs: () => 0 }, log: () => undefined };

it('gives places in the order in which they were wanted', async () => {
  const places = new Places(1);
  const got: string[] = [];
  await places.take();
  const [second, third] = [places.take(), places.take()];
  void second.then(() => got.push('second'));
  void third.then(() => got.push('third'));
  places.leave();
  await second;
  expect(got).toEqual(['second']);
  places.leave();
  expect(await third).toBe(true);
});

it('sends away work that has waited long enough, and keeps no place for it', async () => {
  const timers = openTimers(ports);
  const places = new Places(1, timers);
  await places.take();
  const [short, long] = [places.take(1_000), places.take(2_000)];
  expect(timers.nextDueMs).toBe(1_000);
  timers.advance(1_500);
  expect(await short).toBe(false);
  expect(timers.nextDueMs).toBe(2_000);
  places.leave();
  expect(await long).toBe(true);
  expect(timers.nextDueMs).toBeUndefined();
  places.leave();
  expect(await places.take()).toBe(true);
});
