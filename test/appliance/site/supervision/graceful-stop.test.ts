import { beforeEach, describe, expect, it } from 'vitest';
import { GracefulStop } from '#appliance/site/supervision/index.ts';

let nowMs: number;
let done: string[];
let alarm: number;
let ordinary: number;
let waits: boolean;
let queued: readonly unknown[];
/** The events while it waits, by their moment. */
let at: Map<number, () => void>;
let stop: GracefulStop;
beforeEach(() => {
  nowMs = 0;
  done = [];
  [alarm, ordinary, waits] = [0, 0, false];
  queued = [];
  at = new Map();
  const note = (what: string): void => void done.push(`${nowMs} ${what}`);
  stop = new GracefulStop({
    takeNothing: () => note('takes nothing'),
    callsLeft: () => ({ alarm, ordinary }),
    endOrdinaryCalls: () => note('hangs up'),
    alarms: () => [{ callbackOut: waits, pending: queued }],
    tellUsage: async () => note('tells its usage'),
    monoMs: () => nowMs,
    pause: async (ms) => {
      nowMs += ms;
      at.get(nowMs)?.();
    },
  });
});

describe('the stop', () => {
  it('takes nothing more and hangs up at once where no alarm runs', async () => {
    await stop.alarmsEnd();
    expect(done).toEqual(['0 takes nothing', '0 hangs up']);
    expect(nowMs).toBe(0);
  });

  it('waits for the end of alarms before it hangs up on people', async () => {
    [alarm, waits, ordinary] = [1, true, 2];
    at.set(1_000, () => {
      alarm = 0;
    });
    at.set(3_000, () => {
      waits = false;
    });
    at.set(3_500, () => {
      ordinary = 0;
    });
    expect(stop.inProgress).toBe(true);
    await stop.alarmsEnd();
    expect(stop.inProgress).toBe(false);
    expect(done).toEqual(['0 takes nothing', '3000 hangs up']);
    expect(nowMs).toBe(3_500);
  });

  it('waits for a callback of an alarm that has not been sent yet', async () => {
    queued = ['newAlarmbridgeEvent'];
    at.set(2_000, () => {
      queued = [];
    });
    await stop.alarmsEnd();
    expect(done).toEqual(['0 takes nothing', '2000 hangs up']);
  });

  it('waits for an alarm 8 s at most, and for the answers to its BYEs 2 s', async () => {
    [alarm, ordinary] = [1, 1];
    await stop.alarmsEnd();
    expect(done.at(-1)).toBe('8000 hangs up');
    expect(nowMs).toBe(10_000);
  });
});

it('the final report comes after the last call', async () => {
  ordinary = 1;
  at.set(500, () => {
    ordinary = 0;
  });
  await stop.reportFinalState();
  expect(done).toEqual(['0 hangs up', '500 tells its usage']);
});
