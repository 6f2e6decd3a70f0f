import { describe, expect, it } from 'vitest';
import { reliefAt } from '#appliance/delivery/outbox/index.ts';
import { lanesToDrop, mustCountBytes } from '#appliance/site/system/lane-excess.ts';

const MB = 1024 * 1024;
const NONE = { alarm: 0, svc: 0, audit: 0, usage: 0 };
/** The outbox may take 1 GiB of a disk of 4 GiB. */
const DISK = 4 * 1024 * MB;

describe('bytes that wait', () => {
  it.each([
    [10_000, 50, false],
    [10_001, 50, true],
    [0, 94, false],
    [0, 95, true],
  ])('%d rows on a disk that is %d %% full are counted: %s', (alarm, fullPct, counted) => {
    expect(mustCountBytes({ ...NONE, alarm }, reliefAt(fullPct))).toBe(counted);
  });
});

describe('the lanes of low priority', () => {
  it('are none while each keeps its quota', () => {
    expect(lanesToDrop({ ...NONE, alarm: 100 * MB, svc: 10 * MB }, reliefAt(50), DISK)).toEqual([]);
  });

  it('never hold an alarm, and usage is the first', () => {
    const waiting = { alarm: 2_000 * MB, svc: 500 * MB, audit: 400 * MB, usage: 300 * MB };
    const dropped = lanesToDrop(waiting, reliefAt(50), DISK);
    expect(dropped.map(({ lane }) => lane)).toEqual(['usage', 'audit', 'svc']);
    expect(dropped[0]).toEqual({ lane: 'usage', bytes: 300 * MB });
  });

  it('have a budget of at most 1 GiB, on a small disk of a quarter', () => {
    const waiting = { ...NONE, usage: 900 * MB };
    const [large] = lanesToDrop(waiting, reliefAt(50), 100 * DISK);
    expect(lanesToDrop(waiting, reliefAt(50), DISK)).toEqual([large]);
    const [small] = lanesToDrop(waiting, reliefAt(50), DISK / 4);
    expect(small?.bytes).toBeGreaterThan(large?.bytes ?? 0);
  });

  it('on a full disk are usage alone, and all of it', () => {
    const waiting = { alarm: MB, svc: 900 * MB, audit: 900 * MB, usage: 5 * MB };
    expect(lanesToDrop(waiting, reliefAt(95), DISK)).toEqual([{ lane: 'usage', bytes: 5 * MB }]);
  });
});
