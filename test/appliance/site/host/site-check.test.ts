import { beforeEach, describe, expect, it } from 'vitest';
import { SiteCheck } from '#appliance/site/host/site-check.ts';
import type { CommissionChecks } from '#shared/contract/feed/index.ts';

const ORDER = { life: 'commissioning', op: 'op-1' } as const;

let portsMissing: readonly string[];
let reports: CommissionChecks[];
let timer: { readonly delayMs: number; readonly fire: () => void } | undefined;
let running: Promise<unknown>[];
let check: SiteCheck;

beforeEach(() => {
  portsMissing = ['udp/5060'];
  reports = [];
  timer = undefined;
  running = [];
  check = new SiteCheck({
    read: async () => ({
      clockSynchronised: true,
      fsyncP99Ms: 1,
      portsMissing,
      memoryFreeMb: 1_000,
      peers: {},
    }),
    report: (said) => reports.push(said),
    run: (work) => running.push(work),
    startTimer: (delayMs, fire) => {
      timer = { delayMs, fire };
      return () => {
        timer = undefined;
      };
    },
  });
});

const settled = async (): Promise<void> => {
  await Promise.all(running.splice(0));
};

/** Fires the timer; the delay that it had, ms. */
async function next(): Promise<number> {
  const { delayMs, fire } = timer ?? { delayMs: Number.NaN, fire: () => {} };
  fire();
  await settled();
  return delayMs;
}

describe('the checks of a commissioning', () => {
  it('are repeated soon while they fail, since a listener may still be opening', async () => {
    check.twinChanged(ORDER);
    await settled();
    const delays = [await next(), await next(), await next(), await next(), await next(), await next()];
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
    expect(reports).toHaveLength(1);
  });

  it('report a listener that has opened after a second, and are slow from then on', async () => {
    check.twinChanged(ORDER);
    await settled();
    portsMissing = [];
    expect(await next()).toBe(1_000);
    expect(reports.map(({ checks }) => checks.every(({ ok }) => ok))).toEqual([false, true]);
    expect(timer?.delayMs).toBe(30_000);
  });

  it('begin soon again with another order', async () => {
    check.twinChanged(ORDER);
    await settled();
    await next();
    await next();
    check.twinChanged({ ...ORDER, op: 'op-2' });
    await settled();
    expect(timer?.delayMs).toBe(1_000);
    expect(reports.map(({ op }) => op)).toEqual(['op-1', 'op-2']);
  });

  it('end when the host is in service', async () => {
    check.twinChanged(ORDER);
    await settled();
    check.twinChanged({ ...ORDER, life: 'active' });
    expect(timer).toBeUndefined();
  });
});
