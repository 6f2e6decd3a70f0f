import { describe, expect, it } from 'vitest';
import { faultOf, retryDelayMs } from '#appliance/delivery/outbox/retry.ts';

const middle = 0.5;

describe('wait before the next attempt', () => {
  it('is 1, 2, 5, 10, 20, 30, 60 s, then 60 s to the end of an hour, then 300 s', () => {
    const waits = Array.from({ length: 8 }, (_, failed) => retryDelayMs(failed + 1, middle) / 1000);
    expect(waits).toEqual([1, 2, 5, 10, 20, 30, 60, 60]);
    let passedS = 0;
    let failed = 0;
    while (retryDelayMs(failed + 1, middle) < 300_000) passedS += retryDelayMs(++failed, middle) / 1000;
    expect(passedS).toBeGreaterThanOrEqual(3540);
    expect(passedS).toBeLessThanOrEqual(3660);
    expect(retryDelayMs(100_000, middle)).toBe(300_000);
  });

  it('differs by 20 % at most', () => {
    expect(retryDelayMs(4, 0)).toBe(8_000);
    expect(retryDelayMs(4, 0.999_999)).toBe(12_000);
  });

  it('honours Retry-After up to 300 s and never makes it shorter', () => {
    expect(retryDelayMs(1, middle, 45)).toBe(45_000);
    expect(retryDelayMs(1, middle, 86_400)).toBe(300_000);
    expect(retryDelayMs(7, middle, 3)).toBe(60_000);
  });
});

describe('fault of an answer', () => {
  it.each([
    [401, 'destination'],
    [403, 'destination'],
    [408, 'destination'],
    [425, 'destination'],
    [429, 'destination'],
    [500, 'destination'],
    [503, 'destination'],
    [302, 'destination'],
    [409, 'record'],
    [400, 'refusal'],
    [404, 'refusal'],
    [410, 'refusal'],
    [413, 'refusal'],
    [422, 'refusal'],
  ] as const)('%i is a fault of the %s', (status, fault) => {
    expect(faultOf({ kind: 'refused', status, reason: '' })).toBe(fault);
  });

  it('is the destination when there is no answer', () => {
    expect(faultOf({ kind: 'unreached', reason: 'timeout' })).toBe('destination');
  });
});
