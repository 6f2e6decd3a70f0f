import { describe, expect, it } from 'vitest';
import {
  contactDays,
  outagesOf,
  reachableShare,
  spansOf,
} from '#cloud/console/page/host-health/connectivity.ts';

const DAY_MS = 86_400_000;
const now = { state: 'online', since: 700 };

describe('the contact of a host', () => {
  it('is in spans between the changes, the present state behind the last of them', () => {
    const changes = [
      { at: 700, before: 'offline', after: 'online' },
      { at: 500, before: 'online', after: 'offline' },
    ];
    expect(spansOf(changes, now, 100, 1_000)).toEqual([
      { from: 100, to: 500, state: 'online' },
      { from: 500, to: 700, state: 'offline' },
      { from: 700, to: 1_000, state: 'online' },
    ]);
  });
  it('is unknown before anything was kept, and known as the present state since its begin', () => {
    const first = [{ at: 400, before: 'online', after: 'online' }];
    const expected = [
      { from: 100, to: 400, state: 'unknown' },
      { from: 400, to: 1_000, state: 'online' },
    ];
    expect(spansOf(first, { state: 'online', since: 400 }, 100, 1_000)).toEqual(expected);
    expect(spansOf([], { state: 'online', since: 400 }, 100, 1_000)).toEqual(expected);
    expect(spansOf([], { state: 'online', since: 50 }, 100, 1_000)).toEqual([
      { from: 100, to: 1_000, state: 'online' },
    ]);
  });
  it('takes a change that the list does not have yet from the present state', () => {
    const changes = [{ at: 300, before: 'never', after: 'online' }];
    expect(spansOf(changes, { state: 'offline', since: 800 }, 100, 1_000)).toEqual([
      { from: 100, to: 300, state: 'never' },
      { from: 300, to: 800, state: 'online' },
      { from: 800, to: 1_000, state: 'offline' },
    ]);
  });
  it('is counted by day, with each loss on the day on which it began', () => {
    const spans = [
      { from: 0, to: DAY_MS - 1_000, state: 'online' },
      { from: DAY_MS - 1_000, to: DAY_MS + 5_000, state: 'offline' },
      { from: DAY_MS + 5_000, to: DAY_MS + 6_000, state: 'suspect' },
      { from: DAY_MS + 6_000, to: DAY_MS + 10_000, state: 'online' },
    ];
    expect(contactDays(spans, DAY_MS, 2)).toEqual([
      { begin: 0, onlineMs: DAY_MS - 1_000, unsteadyMs: 0, offlineMs: 1_000, losses: 1 },
      { begin: DAY_MS, onlineMs: 4_000, unsteadyMs: 1_000, offlineMs: 5_000, losses: 0 },
    ]);
    expect(outagesOf(spans)).toEqual([spans[1]]);
  });
  it('is a share of the observed time alone', () => {
    expect(reachableShare([{ from: 0, to: 500, state: 'unknown' }])).toBeUndefined();
    expect(
      reachableShare([
        { from: 0, to: 500, state: 'unknown' },
        { from: 500, to: 575, state: 'online' },
        { from: 575, to: 600, state: 'offline' },
      ]),
    ).toBe(0.75);
  });
});
