import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { openProcessMeter } from '#cloud/io/process/index.ts';

it('reports how late the event loop ran, and wakes it once a second for that', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const dueMs = (Math.round(performance.now() / 1_000) + 1) * 1_000;
  const meter = openProcessMeter();
  try {
    expect(timers).toHaveBeenCalledTimes(1);
    expect(meter.read().lagP99S).toBe(0);
    while (performance.now() < dueMs + 300);
    await nextTurn();
    await nextTurn();
    const { lagP99S } = meter.read();
    expect(lagP99S).toBeGreaterThanOrEqual(0.29);
    expect(lagP99S).toBeLessThan(1);
    // The next look is at the next second.
    expect(timers).toHaveBeenCalledTimes(2);
    expect(timers.mock.calls[1]?.[1]).toBeLessThanOrEqual(1_000);
    // Nothing has happened since.
    expect(meter.read().lagP99S).toBe(0);
  } finally {
    timers.mockRestore();
    meter.close();
  }
});
