import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { openProcessMeter } from '#cloud/io/process/index.ts';

it('tells how late the event loop ran, and wakes it once a second for that', async () => {
  const timers = vi.spyOn(globalThis, 'setInterval');
  const meter = openProcessMeter();
  expect(timers.mock.calls.map(([, ms]) => ms)).toEqual([1_000]);
  timers.mockRestore();
  try {
    expect(meter.read().lagP99S).toBe(0);
    const untilMs = performance.now() + 1_300;
    while (performance.now() < untilMs);
    await nextTurn();
    await nextTurn();
    const { lagP99S } = meter.read();
    expect(lagP99S).toBeGreaterThanOrEqual(0.29);
    // Nothing has happened since.
    expect(meter.read().lagP99S).toBe(0);
  } finally {
    meter.close();
  }
});
