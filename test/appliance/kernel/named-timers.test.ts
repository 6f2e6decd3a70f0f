import { describe, expect, it } from 'vitest';
import { NamedTimers } from '#appliance/kernel/named-timers.ts';

const CLOCK = { monoMs: () => 0, wallMs: () => 0 };

describe('NamedTimers', () => {
  it('names each deadline to the loop when it is started', () => {
    const named: number[] = [];
    const timers = new NamedTimers<string>({ clock: CLOCK, wakeBy: (dueMs) => named.push(dueMs) });
    timers.start('a', 'late', 300);
    timers.start('a', 'soon', 100);
    timers.start('a', 'late', 200);
    expect(named).toEqual([300, 100, 200]);
  });

  it('lets timers of several owners fall due in their order, each once', () => {
    const timers = new NamedTimers<string>({ clock: CLOCK });
    timers.start('a', 'late', 300);
    timers.start('b', 'soon', 100);
    timers.start('a', 'soon', 200);
    expect(timers.nextDueMs).toBe(100);
    expect(timers.advance(250)).toEqual([
      { owner: 'b', timer: 'soon' },
      { owner: 'a', timer: 'soon' },
    ]);
    expect(timers.advance(300)).toEqual([{ owner: 'a', timer: 'late' }]);
    expect(timers.advance(100_000)).toEqual([]);
    expect(timers.nextDueMs).toBeUndefined();
  });

  it('replaces a timer that is started again', () => {
    const timers = new NamedTimers<string>({ clock: CLOCK });
    timers.start('a', 'ring', 100);
    timers.start('a', 'other', 150);
    timers.start('a', 'ring', 200);
    expect(timers.advance(199)).toEqual([{ owner: 'a', timer: 'other' }]);
    expect(timers.advance(200)).toEqual([{ owner: 'a', timer: 'ring' }]);
  });

  it('stops one of an owner, or all of it, and nothing of others', () => {
    const timers = new NamedTimers<string>({ clock: CLOCK });
    for (const timer of ['one', 'two', 'three']) timers.start('a', timer, 100);
    timers.start('b', 'one', 100);
    timers.stop('a', 'two');
    timers.stop('a', 'unknown');
    timers.stop('nobody', 'one');
    expect(timers.advance(100).map(({ owner, timer }) => `${owner} ${timer}`)).toHaveLength(3);
    for (const timer of ['one', 'two']) timers.start('a', timer, 200);
    timers.start('b', 'one', 200);
    timers.stopAll('a');
    expect(timers.advance(200)).toEqual([{ owner: 'b', timer: 'one' }]);
  });
});
