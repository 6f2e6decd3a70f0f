import { describe, expect, it } from 'vitest';
import { conditionsOf } from '#cloud/site/index.ts';
import type { HostWithStatus } from '#cloud/store/index.ts';

/** A host that says this of its machine and nothing else. */
const saying = (m: Record<string, number>): HostWithStatus =>
  ({
    host: { twinBody: null, certExpires: null, lifecycle: 'ready', course: null },
    status: { facts: { m }, nacked: {}, refusals: {}, overrides: [], conditions: {} },
  }) as unknown as HostWithStatus;

const conditions = (m: Record<string, number>) => conditionsOf(saying(m), 1_000);

describe('conditions from what a host says of its machine', () => {
  // `memPct` is memory in use: a large machine at rest says 2.
  it.each([
    ['a large machine at rest', { memPct: 2, memFreeMb: 23_000 }, false],
    ['the message of the specification', { memPct: 71, memFreeMb: 900 }, false],
    ['a tenth is free', { memPct: 90, memFreeMb: 2_000 }, false],
    ['less than a tenth is free', { memPct: 91, memFreeMb: 2_000 }, true],
    ['a small machine with little left', { memPct: 60, memFreeMb: 255 }, true],
    ['nothing said', {}, false],
  ])('memory: %s', (_name, m, status) => {
    expect(conditions(m).MemoryPressure.status).toBe(status);
  });

  it('says how much is free', () => {
    expect(conditions({ memPct: 95, memFreeMb: 2_000 }).MemoryPressure).toMatchObject({
      reason: 'Percent:5',
      message: '5 % free',
    });
  });

  it.each([
    [79, false],
    [80, true],
  ])('disk: %i per cent in use', (diskPct, status) => {
    expect(conditions({ diskPct }).DiskPressure.status).toBe(status);
  });
});
