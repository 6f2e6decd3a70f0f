import { describe, expect, it } from 'vitest';
import { EarliestTimer } from '#appliance/site/host/uplink/earliest-timer.ts';

/** A timer on a clock that stands still, with the timers that it runs. */
function stage() {
  const running: { readonly delayMs: number; readonly fire: () => void }[] = [];
  const fired: string[] = [];
  const timer = new EarliestTimer({
    clock: { monoMs: () => 1_000, wallMs: () => 0 },
    startTimer: (delayMs, fire) => {
      const started = { delayMs, fire };
      running.push(started);
      return () => void running.splice(running.indexOf(started), 1);
    },
  });
  return {
    fired,
    timer,
    start: (name: string, delayMs: number) => timer.startWithin(delayMs, () => void fired.push(name)),
    delays: () => running.map(({ delayMs }) => delayMs),
    due: () => running.shift()?.fire(),
  };
}

describe('a timer that keeps the earliest time', () => {
  it('ignores a later start and follows an earlier one', () => {
    const at = stage();
    at.start('first', 500);
    at.start('later', 600);
    expect(at.delays()).toEqual([500]);
    at.start('earlier', 100);
    expect(at.delays()).toEqual([100]);
    at.due();
    expect(at.fired).toEqual(['earlier']);
  });

  it('takes any start once it has fired or was stopped', () => {
    const at = stage();
    at.start('first', 100);
    at.due();
    at.start('second', 500);
    expect(at.delays()).toEqual([500]);
    at.timer.stop();
    expect(at.delays()).toEqual([]);
    at.start('third', 900);
    expect(at.delays()).toEqual([900]);
  });
});
