import { describe, expect, it } from 'vitest';
import { dtmf, render, tone } from '#appliance/media/dtmf/index.ts';
import { PauseWatch, type ReceivedFrames } from '#appliance/media/engine/leg/pause-watch.ts';
import { must, type TestMedia, testMedia } from '#test/support/media.ts';
import { caller } from './sound.ts';

const ALARM = { profile: 'alarm', digits: true, tones: [] } as const;
const STRING = 'D#1017';

/** A device on an alarm leg, quiet for a second. */
async function device(listening: Parameters<TestMedia['media']['listen']>[1] = ALARM) {
  const net = testMedia();
  const phone = await caller(net, 'a', { opening: { profile: 'alarm' } });
  must(await net.media.listen('a', listening));
  net.advance(1_000);
  return { net, phone };
}

const pauses = (net: TestMedia) => net.eventsOf('pause');
/** When the last digit was over, ms of the stream. */
const lastEndMs = (net: TestMedia): number => {
  const last = net.eventsOf('digit').findLast(({ edge }) => edge === 'end');
  return (last?.atMs ?? Number.NaN) + (last?.durationMs ?? 0);
};

it.each([
  ['inband', 0],
  ['rfc4733', 20],
] as const)(
  'the pause behind a string is reported, and none between its digits (%s)',
  async (by, uncertainMs) => {
    const { net, phone } = await device();
    phone.press(STRING, { by, onMs: 80, offMs: 80 });
    net.advance(STRING.length * 160 - 80);
    expect(pauses(net)).toEqual([]);
    net.advance(500);
    const endMs = lastEndMs(net);
    const reported = pauses(net).map(({ atMs, forMs }) => [Math.round(atMs - endMs), forMs]);
    expect(reported.every(([offMs]) => offMs === uncertainMs)).toBe(true);
    const lengths = reported.map(([, forMs]) => forMs ?? 0);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(lengths[0]).toBeGreaterThanOrEqual(90);
    expect(lengths[0]).toBeLessThan(130);
    expect(lengths.at(-1)).toBeGreaterThanOrEqual(260);
    expect(lengths.at(-1)).toBeLessThan(300);
  },
);

it('a pause is reported before a detector could have noticed it: from what waits in the jitter buffer', async () => {
  const { net, phone } = await device();
  phone.press(STRING, { onMs: 80, offMs: 80 });
  net.advance(STRING.length * 160 - 80);
  let ms = 0;
  for (; ms < 500 && pauses(net).length === 0; ms += 5) net.advance(5);
  // 90 to 110 ms of pause, a packet of 20 ms and the next turn; behind the jitter buffer it would be 60 ms more.
  expect(ms).toBeLessThanOrEqual(130);
});

it('a pause is reported to alarms alone, and there to the one that listens for digits', async () => {
  for (const listening of [{ ...ALARM, profile: 'ivr' } as const, { ...ALARM, digits: false }]) {
    const { net, phone } = await device(listening);
    phone.press(STRING);
    net.advance(2_000);
    expect(pauses(net)).toEqual([]);
  }
});

it('a loud sound behind the last digit defers the pause until a detector would have found another digit', async () => {
  const { net, phone } = await device();
  const made = dtmf(STRING, { onMs: 80, offMs: 30 });
  if (!made.ok) throw new Error(made.error.reason);
  phone.say(render([...made.value, tone(500, 400, -12)]));
  net.advance(STRING.length * 110 - 30);
  let ms = 0;
  for (; ms < 500 && pauses(net).length === 0; ms += 5) net.advance(5);
  // The jitter buffer, and two frames in which a detector hears that a digit has begun.
  expect(ms).toBeGreaterThan(170);
  expect(ms).toBeLessThanOrEqual(230);
  expect(pauses(net)[0]?.atMs).toBeCloseTo(lastEndMs(net), 0);
});

it('a digit that begins in that noise defers it, and no longer than until it does', async () => {
  const { net, phone } = await device();
  const [first, second] = [dtmf('5', { onMs: 80, offMs: 0 }), dtmf('6', { onMs: 80, offMs: 0 })];
  if (!first.ok || !second.ok) throw new Error('no digits');
  phone.say(render([...first.value, tone(500, 120, -12), ...second.value]));
  net.advance(2_000);
  const digits = net.eventsOf('digit').filter(({ edge }) => edge === 'end');
  expect(digits.map(({ digit }) => digit)).toEqual(['5', '6']);
  const reported = pauses(net).filter(({ atMs }) => atMs < (digits[1]?.atMs ?? 0));
  expect(reported.every(({ atMs, forMs }) => atMs + forMs <= (digits[1]?.atMs ?? 0))).toBe(true);
});

/** Packets behind the device's string with these numbers are lost, counted from the end of its last digit. */
async function behindLoss(lost: readonly number[]) {
  const { net, phone } = await device();
  phone.press(STRING, { onMs: 80, offMs: 80 });
  net.advance(STRING.length * 160 - 80);
  let packet = 0;
  net.network.carries = ({ fromHost }) => fromHost !== phone.host || !lost.includes(packet++);
  net.advance(500);
  return pauses(net).map(({ forMs }) => Math.round(forMs));
}

it('one lost packet hides no digit, two in a row may: then the pause is not reported', async () => {
  const [whole] = await behindLoss([]);
  expect((await behindLoss([3])).length).toBeGreaterThan(0);
  expect((await behindLoss([3]))[0]).toBeGreaterThanOrEqual(whole ?? 0);
  expect(await behindLoss([2, 3])).toEqual([]);
});

it('a digit that follows late, after a reported pause, is detected as ever', async () => {
  const { net, phone } = await device();
  phone.press('1', { onMs: 80, offMs: 150 });
  phone.press('2', { onMs: 80, offMs: 80 });
  net.advance(1_000);
  const [first] = pauses(net);
  expect(
    pauses(net)
      .filter(({ atMs }) => atMs === first?.atMs)
      .every(({ forMs }) => forMs <= 152),
  ).toBe(true);
  expect(net.eventsOf('digit').filter(({ edge }) => edge === 'end')).toMatchObject([
    { digit: '1' },
    { digit: '2' },
  ]);
});

describe('the watch', () => {
  const quiet: ReceivedFrames = {
    frame: new Int16Array(160),
    speaking: true,
    lost: false,
    levelAhead: () => undefined,
  };
  /** Reported behind a digit that has ended at 1000 ms, when these ticks are heard. */
  function reported(ticks: readonly number[], frames = quiet): readonly number[] {
    const lengths: number[] = [];
    const watch = new PauseWatch((_, forMs) => lengths.push(forMs));
    watch.begin(1_000, -10);
    for (const tick of ticks) watch.tick(tick, frames);
    return lengths;
  }

  it('reports digits and silence, frame by frame', () => {
    expect(reported([51, 52, 53, 54, 55])).toEqual([100, 120]);
  });

  it('knows nothing of ticks that were left out', () => {
    expect(reported([51, 52, 54, 55, 56])).toEqual([]);
    expect(reported([55, 56, 57])).toEqual([]);
  });
});
