import { describe, expect, it } from 'vitest';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { SliceSchedule } from '#appliance/media/engine/index.ts';
import { Lateness, latenessBucket } from '#appliance/media/engine/load/lateness.ts';
import { meanOpinion } from '#appliance/media/engine/mos.ts';
import { must, testMedia } from '#test/support/media.ts';
import { caller, levelOf } from './sound.ts';

describe('SliceSchedule', () => {
  it('is absolute: a late slice does not move the next', () => {
    const schedule = new SliceSchedule(1_000);
    expect(schedule.latenessMs(1_000)).toBe(0);
    schedule.ran();
    expect(schedule.latenessMs(1_003)).toBe(-2);
    expect(schedule.latenessMs(1_012)).toBe(7);
    schedule.ran();
    expect(schedule.latenessMs(1_012)).toBe(2);
  });

  it('catches up 5 ticks and leaves out the rest in whole ticks', () => {
    const schedule = new SliceSchedule(0);
    expect(schedule.overdueTicks(100)).toBe(0);
    expect(schedule.overdueTicks(104.9)).toBe(0);
    expect(schedule.overdueTicks(105)).toBe(1);
    let ran = 0;
    while (schedule.latenessMs(105) >= 0) {
      schedule.ran();
      ran++;
    }
    expect(ran).toBe(18);
    expect(schedule.overdueTicks(1_000)).toBe(40);
    expect(schedule.skippedTicks).toBe(41);
  });
});

describe('a leap', () => {
  it('moves timestamps by what was left out and no numbers, and keeps the delay small', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    const b = await caller(net, 'b');
    must(await net.media.connect('a', 'b'));
    must(await net.media.watchSilence('a', 600_000));
    net.advance(400);
    const before = b.packets.at(-1);
    // 300 ms in which the worker stood still; packets of that time wait in its sockets.
    for (let n = 0; n < 15; n++) a.tick();
    net.engine.leap(15);
    a.say(render([tone(1_000, 400, -10)]));
    net.advance(40);
    const after = b.packets.find(({ sequence }) => sequence === (((before?.sequence ?? 0) + 1) & 0xffff));
    expect(((after?.timestamp ?? 0) - (before?.timestamp ?? 0)) >>> 0).toBe(16 * 160);
    b.forget();
    net.advance(160);
    expect(levelOf(b.received.subarray(-480))).toBeGreaterThan(-14);
    expect(net.engine.skippedTicks).toBe(15);
  });
});

describe('a leap while a device says its alarm', () => {
  it('costs no digit that waited in the sockets', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    must(await net.media.listen('a', { profile: 'alarm', digits: true, tones: [] }));
    net.advance(400);
    a.press('12345', { onMs: 60, offMs: 40 });
    net.advance(180);
    for (let n = 0; n < 12; n++) a.tick();
    net.engine.leap(12);
    net.advance(400);
    const ends = net.events.flatMap((event) =>
      event.kind === 'digit' && event.edge === 'end' ? [event.digit] : [],
    );
    expect(ends).toEqual(['1', '2', '3', '4', '5']);
  });
});

describe('Lateness', () => {
  it('gives quantiles as upper edges', () => {
    const lateness = new Lateness();
    for (let n = 0; n < 99; n++) lateness.add(latenessBucket(0.6), 0.6);
    lateness.add(latenessBucket(7), 7);
    expect([lateness.quantileMs(0.5), lateness.quantileMs(0.99), lateness.quantileMs(1)]).toEqual([
      0.75, 0.75, 7,
    ]);
    expect(lateness.histogram.find(({ uptoMs }) => uptoMs === 8)?.count).toBe(1);
    expect(latenessBucket(9_999)).toBe(lateness.histogram.length - 1);
  });
});

describe('meanOpinion', () => {
  it('is 4.4 for a clean near line, and falls with loss, delay and codec', () => {
    expect(meanOpinion('PCMA', 0, 0)).toBeCloseTo(4.41, 2);
    expect(meanOpinion('PCMA', 0.05, 100)).toBeLessThan(3.3);
    expect(meanOpinion('PCMA', 0, 400)).toBeLessThan(3.6);
    expect(meanOpinion('GSM', 0, 50)).toBeLessThan(meanOpinion('PCMU', 0, 50) - 0.5);
    expect(meanOpinion('PCMA', 1, 9_999)).toBe(1);
  });

  it('is never below 1, whatever was lost', () => {
    for (let lost = 0; lost <= 1; lost += 0.01)
      for (let delayMs = 0; delayMs <= 1_000; delayMs += 50)
        expect(meanOpinion('PCMA', lost, delayMs)).toBeGreaterThanOrEqual(1);
  });
});
