import { describe, expect, it } from 'vitest';
import { dtmf, render, STMF_TIMES, silence, stmf } from '#appliance/media/dtmf/index.ts';
import { must, type TestMedia, testMedia } from '#test/support/media.ts';
import { caller } from './sound.ts';

const LISTENING = { profile: 'alarm', digits: true, tones: [], stmf: STMF_TIMES } as const;
const FRAME = 'D#1017112233445566000000';

async function leg(listening: object = LISTENING) {
  const net = testMedia();
  const a = await caller(net, 'a', { opening: { profile: 'alarm' } });
  must(await net.media.listen('a', listening as typeof LISTENING));
  net.advance(200);
  return { net, a };
}

const digits = (net: TestMedia, edge: 'begin' | 'end') =>
  net.eventsOf('digit').filter((event) => event.edge === edge);
const text = (net: TestMedia, edge: 'begin' | 'end' = 'end') =>
  digits(net, edge)
    .map(({ digit }) => digit)
    .join('');

describe('a leg that is listened to for sequential tones', () => {
  it('reports their digits like any other, with begin, end, length, level and twist', async () => {
    const { net, a } = await leg();
    a.say(render(must(stmf(FRAME, { levelDbm0: -20 }))));
    net.advance(FRAME.length * 160 + 500);
    expect([text(net, 'begin'), text(net)]).toEqual([FRAME, FRAME]);
    for (const { source, stmf: how, durationMs = 0, levelDbm0, twistDb } of digits(net, 'end')) {
      expect([source, how]).toEqual(['inband', 'heard']);
      expect(Math.abs(durationMs - 155)).toBeLessThanOrEqual(5);
      expect(levelDbm0).toBeCloseTo(-20, 0);
      expect(twistDb).toBeCloseTo(0, 0);
    }
  });

  it('reports the pause behind the last one, and none between them', async () => {
    const { net, a } = await leg();
    a.say(render(must(stmf(FRAME))));
    net.advance(FRAME.length * 160 + 600);
    const last = digits(net, 'end').at(-1);
    const pauses = net.eventsOf('pause');
    expect(pauses.length).toBeGreaterThan(0);
    for (const { atMs, forMs } of pauses) {
      expect(Math.abs(atMs - ((last?.atMs ?? 0) + (last?.durationMs ?? 0)))).toBeLessThanOrEqual(5);
      expect(forMs).toBeGreaterThanOrEqual(90);
    }
  });

  it('reports no pause into the tone of a digit that follows', async () => {
    const { net, a } = await leg();
    // 70 ms are none, and a row tone is no digit yet.
    const digit = must(stmf('5'));
    a.say(render([...digit, silence(70), ...digit.slice(0, 1), silence(400)]));
    net.advance(1_000);
    expect(net.eventsOf('pause')).toEqual([]);
  });

  it('reports half of one and what only the time says as such', async () => {
    const { net, a } = await leg();
    const [row] = must(stmf('7'));
    const half = row === undefined ? [] : [row, silence(85)];
    a.say(render([...must(stmf('D#1')), ...half, ...must(stmf('2')), silence(160), ...must(stmf('3'))]));
    net.advance(2_000);
    expect(digits(net, 'end').map(({ digit, stmf: how }) => `${digit} ${how}`)).toEqual([
      'D heard',
      '# heard',
      '1 heard',
      '? half',
      '2 heard',
      '2 filled',
      '3 heard',
    ]);
  });

  it('hears DTMF, too, each digit once', async () => {
    const { net, a } = await leg();
    a.say(render([...must(stmf('0')), ...must(dtmf('0#'))]));
    net.advance(1_200);
    expect(digits(net, 'end').map(({ digit, stmf: how }) => `${digit} ${how ?? 'dtmf'}`)).toEqual([
      '0 heard',
      '0 dtmf',
      '# dtmf',
    ]);
  });

  it('detects none when none are wanted', async () => {
    const { net, a } = await leg({ profile: 'alarm', digits: true, tones: [] });
    a.say(render(must(stmf(FRAME))));
    net.advance(FRAME.length * 160 + 500);
    expect(text(net)).toBe('');
  });
});
