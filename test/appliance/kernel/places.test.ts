import { expect, it } from 'vitest';
import { Places } from '#appliance/kernel/places.ts';

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

it('sends away who has waited long enough, and keeps no place for them', async () => {
  const places = new Places(1);
  await places.take();
  const [short, long] = [places.take(1_000), places.take(2_000)];
  expect(places.nextDueMs).toBe(1_000);
  places.advance(1_500);
  expect(await short).toBe(false);
  expect(places.nextDueMs).toBe(2_000);
  places.leave();
  expect(await long).toBe(true);
  expect(places.nextDueMs).toBe(Number.POSITIVE_INFINITY);
  places.leave();
  expect(await places.take()).toBe(true);
});
