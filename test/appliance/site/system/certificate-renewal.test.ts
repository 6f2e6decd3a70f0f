import { describe, expect, it } from 'vitest';
import { CertificateRenewal, type RenewalOutcome } from '#appliance/site/system/index.ts';
import { fail, ok } from '#shared/result.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const ISSUED = 1_770_000_000_000;

/** A host with a certificate of 90 days, at its issue; its timer fires when the test says so. */
function host(held = true) {
  const state = {
    nowMs: ISSUED,
    held,
    lacking: [] as readonly string[],
    outcome: fail('unreachable', 'no line') as RenewalOutcome | undefined,
  };
  const delays: number[] = [];
  let fire: (() => void) | undefined;
  let shown = 0;
  let renewed = 0;
  let work: Promise<unknown> = Promise.resolve();
  const logged: string[] = [];
  const renewal = new CertificateRenewal({
    held: () =>
      state.held
        ? { beginsAtMs: ISSUED - DAY, expiresAtMs: ISSUED + 90 * DAY, lacking: () => state.lacking }
        : undefined,
    renew: async () => {
      if (state.outcome !== undefined) renewed++;
      return state.outcome;
    },
    show: async () => void shown++,
    chance: 0,
    wallMs: () => state.nowMs,
    startTimer: (delayMs, due) => {
      delays.push(delayMs);
      fire = due;
      return () => {
        fire = undefined;
      };
    },
    log: (level, event) => void logged.push(`${level} ${event}`),
    run: (part) => {
      work = part;
    },
  });
  return {
    state,
    renewal,
    delays,
    logged,
    isWaiting: () => fire !== undefined,
    counts: () => ({ renewed, shown }),
    due: async (): Promise<void> => {
      const due = fire;
      fire = undefined;
      due?.();
      await work;
    },
  };
}

const ask = { args: {}, by: 'user:anna' };

describe('a certificate', () => {
  it('is looked at each six hours and renewed in the 30th of 90 days', async () => {
    const { state, renewal, delays, due, counts } = host();
    renewal.start();
    expect(delays).toEqual([6 * HOUR]);
    state.nowMs += 29 * DAY;
    await due();
    expect(counts().renewed).toBe(0);
    state.nowMs += DAY;
    state.outcome = ok({ expiresAt: ISSUED + 120 * DAY });
    await due();
    expect(counts()).toEqual({ renewed: 1, shown: 1 });
  });

  it('that could not be renewed is tried again after half of 1, 2, 4 … minutes, an hour at most', async () => {
    const { state, renewal, delays, due, logged } = host();
    state.nowMs = ISSUED + 40 * DAY;
    renewal.start();
    for (let tries = 0; tries < 8; tries++) await due();
    expect(delays).toEqual([0, 0.5, 1, 2, 4, 8, 16, 30, 30].map((minutes) => minutes * 60_000));
    expect(logged[0]).toBe('warn certificate.renew_failed');
    state.outcome = fail('refused', 'the control plane does not know this host');
    await due();
    expect(logged.at(-1)).toBe('error certificate.renew_failed');
  });

  it('that lacks a name is renewed at once, and never again for a name that the cloud leaves out', async () => {
    const { state, renewal, delays, due, counts, logged } = host();
    state.lacking = ['10.0.0.9'];
    state.outcome = ok({ expiresAt: ISSUED + 90 * DAY });
    renewal.start();
    await due();
    expect(logged[0]).toBe('info certificate.names_missing');
    expect(counts().renewed).toBe(1);
    expect(delays).toEqual([0, 6 * HOUR]);
  });

  it('that lacks a name waits as any other does after a failure', async () => {
    const { state, renewal, delays, due } = host();
    state.lacking = ['10.0.0.9'];
    renewal.start();
    await due();
    expect(delays).toEqual([0, 30_000]);
  });

  it('is not renewed for a machine that holds none', () => {
    const { renewal, delays } = host(false);
    renewal.start();
    expect(delays).toEqual([]);
  });

  it('is renewed no more after the end', () => {
    const { renewal, isWaiting } = host();
    renewal.start();
    renewal.stop();
    expect(isWaiting()).toBe(false);
  });
});

describe('a request of the cloud', () => {
  it('is answered with the new end, or with why there is none', async () => {
    const { state, renewal } = host();
    expect(await renewal.now(ask)).toEqual({ ok: false, code: 'unreachable', reason: 'no line' });
    state.outcome = ok({ expiresAt: 7 });
    expect(await renewal.now(ask)).toEqual({ ok: true, value: { expiresAt: 7 } });
    state.outcome = undefined;
    expect(await renewal.now(ask)).toMatchObject({ ok: false, code: 'noCloud' });
  });
});
