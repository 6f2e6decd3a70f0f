import { expect, it } from 'vitest';
import type { MediaWindows } from '#appliance/media/control/index.ts';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { must, type TestMedia, testMedia } from '#test/support/media.ts';
import { caller } from './sound.ts';

const windowsOf = (net: TestMedia, leg: string): MediaWindows[] =>
  net.events.flatMap((event) => (event.kind === 'measured' && event.leg === leg ? [event.windows] : []));

it('twelve windows of 5 s come at a time, and the rest at the end: the bad seconds stand out', async () => {
  const net = testMedia();
  const a = await caller(net, 'a');
  must(await net.media.watchSilence('a', 600_000));
  a.say(render([tone(1_000, 5_000, -10)]));
  net.advance(20_000);
  let count = 0;
  // Every fourth packet is lost, for 5 s.
  net.network.carries = ({ fromPort }) => fromPort !== a.port || ++count % 4 > 0;
  net.advance(5_000);
  net.network.carries = () => true;
  net.advance(37_000);
  const [reported, ...more] = windowsOf(net, 'a');
  expect(more).toEqual([]);
  expect(reported).toMatchObject({ everyMs: 5_000, lastMs: 5_000 });
  for (const [name, column] of Object.entries(reported ?? {}))
    if (Array.isArray(column)) expect(column, name).toHaveLength(12);
  expect(reported?.lost.map((lost) => lost > 50)).toEqual(Array.from({ length: 12 }, (_, at) => at === 4));
  expect(reported?.concealedMs[4]).toBeGreaterThan(500);
  expect(reported?.received[0]).toBeGreaterThan(240);
  expect(reported?.sent[0]).toBeGreaterThan(240);
  expect(reported?.levelDbm0[0]).toBeGreaterThan(-12);
  expect(reported?.levelDbm0[2]).toBeLessThan(-60);
  const { windows, received } = must(await net.media.closeLeg('a'));
  expect(windows?.received).toHaveLength(1);
  expect(windows?.lastMs).toBeGreaterThan(1_000);
  expect(windows?.lastMs).toBeLessThan(2_500);
  const sum = [...(reported?.received ?? []), ...(windows?.received ?? [])].reduce(
    (all, one) => all + one,
    0,
  );
  // The first packet made the first window begin.
  expect(received.packets - sum).toBeLessThanOrEqual(1);
});

it('has no window before the first packet, and none of a leg that never had one', async () => {
  const net = testMedia();
  must(await net.media.openLeg({ leg: 'a', profile: 'ordinary', family: 4 }));
  net.advance(130_000);
  expect(windowsOf(net, 'a')).toEqual([]);
  expect(must(await net.media.closeLeg('a')).windows).toBeUndefined();
});

it('says by which time a worker was late', async () => {
  const net = testMedia();
  await caller(net, 'a');
  net.advance(500);
  for (let part = 0; part < 4; part++) net.engine.slice(net.nowMs, 7.25);
  net.advance(500);
  expect(must(await net.media.closeLeg('a')).windows?.latenessMs).toEqual([7.3]);
});

it('is bounded: windows of a minute after an hour, and none after a day more', async () => {
  const net = testMedia();
  const nowhere = { send: () => undefined };
  const opening = { leg: 'a', profile: 'ordinary', family: 4 } as const;
  const leg = must(net.engine.open(opening, { rtp: nowhere, rtcp: nowhere }));
  leg.update(net.phone({ host: '192.0.2.9', port: 4_000 }).stream(), net.nowMs);
  net.advance(1_000);
  // Only the clock of the leg goes on, for 27 hours of ticks of 20 ms; no audio is made.
  for (let tick = 60; tick < 27 * 180_000; tick += 50) leg.windows.tick(tick);
  const reported = windowsOf(net, 'a');
  const lengths = reported.flatMap(({ everyMs, received }) => received.map(() => everyMs));
  expect(lengths.filter((ms) => ms === 5_000)).toHaveLength(720);
  expect(lengths.filter((ms) => ms === 60_000)).toHaveLength(1_440);
  expect(leg.windows.rest()).toBeUndefined();
});
