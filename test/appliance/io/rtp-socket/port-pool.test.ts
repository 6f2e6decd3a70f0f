import { describe, expect, it } from 'vitest';
import { PortPool } from '#appliance/io/rtp-socket/index.ts';

describe('PortPool', () => {
  it('gives even ports whose odd neighbour lies in the range, too', () => {
    const pool = new PortPool({ from: 20_001, to: 20_006 });
    expect([pool.take(0), pool.take(0), pool.take(0)]).toEqual([20_002, 20_004, undefined]);
  });

  it('lets a released pair rest for 10 s and then takes the oldest first', () => {
    const pool = new PortPool({ from: 20_000, to: 20_003 });
    expect([pool.take(0), pool.take(0)]).toEqual([20_000, 20_002]);
    pool.release(20_002, 1_000);
    pool.release(20_000, 2_000);
    expect(pool.take(11_000)).toBe(20_002);
    pool.release(20_002, 11_500);
    expect(pool.take(12_000)).toBe(20_000);
  });

  it('gives a pair that rests, when there is no other: the oldest, after a second', () => {
    const pool = new PortPool({ from: 20_000, to: 20_003 });
    pool.take(0);
    pool.take(0);
    pool.release(20_002, 1_000);
    pool.release(20_000, 1_500);
    expect(pool.take(1_999)).toBeUndefined();
    expect(pool.take(2_000)).toBe(20_002);
    expect(pool.take(2_000)).toBeUndefined();
    expect(pool.take(2_500)).toBe(20_000);
  });

  it('leaves the last sixteenth to alarms, and says what is free for whom', () => {
    const pool = new PortPool({ from: 20_000, to: 20_031 });
    expect(pool.free(0)).toEqual({ ordinary: 15, alarm: 16 });
    const taken = Array.from({ length: 15 }, () => pool.take(0, true));
    expect(taken).not.toContain(undefined);
    expect(pool.take(0, true)).toBeUndefined();
    expect(pool.free(0)).toEqual({ ordinary: 0, alarm: 1 });
    expect(pool.take(0)).toBe(20_030);
    expect(pool.free(0)).toEqual({ ordinary: 0, alarm: 0 });
    for (const port of [20_000, 20_002]) pool.release(port, 1_000);
    pool.release(20_004, 1_500);
    expect(pool.free(1_999)).toEqual({ ordinary: 0, alarm: 0 });
    expect(pool.free(2_000)).toEqual({ ordinary: 1, alarm: 2 });
    expect([pool.take(2_000, true), pool.take(2_000, true)]).toEqual([20_000, undefined]);
  });

  it('lets whoever rests less than 10 s rest on, while another one is free', () => {
    const pool = new PortPool({ from: 20_000, to: 20_005 });
    pool.take(0);
    pool.release(20_000, 1_000);
    expect([pool.take(5_000), pool.take(5_000), pool.take(5_000)]).toEqual([20_002, 20_004, 20_000]);
  });
});
