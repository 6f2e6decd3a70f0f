import { expect, it } from 'vitest';
import { threadMs, threadMsOf } from './thread-time.ts';

it('advances between two ticks of the kernel', () => {
  const values = new Set<number>();
  const begun = threadMs();
  for (let now = begun; now < begun + 40; now = threadMs()) values.add(now);
  // Ten ticks of 4 ms, and as many again where another program has the core.
  expect(values.size).toBeGreaterThan(100);
});

it('counts the work and no more', () => {
  const before = threadMs();
  const spent = threadMsOf(() => threadMs());
  expect(spent).toBeLessThanOrEqual(threadMs() - before);
});
