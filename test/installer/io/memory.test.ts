import { expect, it } from 'vitest';
import { keepMemorySettled, settleMemory } from '#installer/io/host/memory.ts';

it('is given back once, when what was answered first is answered', async () => {
  const waited: number[] = [];
  const garbage = new WeakRef({ of: 'the start' });
  // A reference that was made keeps its object until this turn is over.
  await new Promise((resolve) => setImmediate(resolve));
  await settleMemory(async (ms) => waited.push(ms));
  expect(waited).toEqual([5_000]);
  expect(garbage.deref()).toBeUndefined();
});

it('is given back again each five minutes at the control plane', async () => {
  const done: (number | string)[] = [];
  const wait = (ms: number) => {
    done.push(ms);
    return done.length > 6 ? new Promise(() => {}) : Promise.resolve();
  };
  void keepMemorySettled(wait, () => void done.push('collected'));
  const again = [300_000, 'collected'];
  await expect.poll(() => done).toEqual([5_000, 'collected', ...again, ...again, 300_000]);
});
