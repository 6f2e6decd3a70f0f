import { describe, expect, it } from 'vitest';
import { NoiseSource, pcma, pcmu } from '#appliance/media/audio/index.ts';
import type { Phrase, PlayPlan } from '#appliance/media/control/index.ts';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { must, preparedPrompt, type TestMedia, testMedia } from '#test/support/media.ts';
import { caller, extent, levelAt, levelOf } from './sound.ts';

/** A prompt of so many samples, never silent, so that its place is known to the sample. */
function noise(samples: number, seed = 1, levelDbm0 = -20): Int16Array {
  const out = new Int16Array(samples);
  new NoiseSource(seed).fill(out, levelDbm0);
  return out.map((sample) => (Math.abs(sample) < 200 ? 200 : sample));
}
const prompt = (samples: number, seed = 1): Phrase => ({
  kind: 'prompt',
  prompt: preparedPrompt(noise(samples, seed)),
});
/** Samples of a listener behind A-law. */
function alawed(samples: Int16Array): Int16Array {
  const [bytes, out] = [new Uint8Array(samples.length), new Int16Array(samples.length)];
  pcma.encode(samples, bytes, 0);
  pcma.decode(bytes, 0, bytes.length, out);
  return out;
}
const results = (net: TestMedia) => net.eventsOf('played').map(({ play, results: of }) => [play, ...of]);
const plan = (phrases: readonly Phrase[], rest: Partial<PlayPlan> = {}): PlayPlan => ({
  phrases,
  over: 'instead',
  ...rest,
});

describe('playing', () => {
  it.each([
    ['copied', {}],
    ['computed', { volumeDb: -0.0001 }],
  ])('is exact to the sample: phrases, pauses and repeats follow one another (%s)', async (_, volume) => {
    const net = testMedia();
    const a = await caller(net, 'a');
    net.advance(100);
    a.forget();
    const phrases: Phrase[] = [
      { ...prompt(1_001, 1), ...volume },
      { kind: 'silence', ms: 13 },
      { ...prompt(333, 2), repeat: 3, repeatPauseMs: 7, ...volume },
      { kind: 'tone', segments: [tone(1_000, 31, -10, 0)] },
      { ...prompt(160, 3), ...volume },
    ];
    must(await net.media.play('a', 'p', plan(phrases)));
    net.advance(600);
    const pause = (ms: number) => new Int16Array(ms * 8);
    const parts = [
      noise(1_001, 1),
      pause(13),
      noise(333, 2),
      pause(7),
      noise(333, 2),
      pause(7),
      noise(333, 2),
      render([tone(1_000, 31, -10, 0)]),
      noise(160, 3),
    ];
    const expected = Int16Array.from(parts.flatMap((part) => [...part]));
    expect(a.received.subarray(0, expected.length)).toEqual(alawed(expected));
    expect(extent(a.received).to).toBeLessThan(expected.length);
    expect(results(net)).toEqual([['p', 'completed', 'completed', 'completed', 'completed', 'completed']]);
  });

  it('copies the bytes of either law when a prompt is alone', async () => {
    for (const codec of ['PCMA', 'PCMU'] as const) {
      const net = testMedia();
      const a = await caller(net, 'a', { phone: { codec } });
      // The ready-made bytes are not those of the samples: who hears them knows they were copied.
      const fake = { ...preparedPrompt(new Int16Array(320)) };
      new Uint8Array(codec === 'PCMA' ? fake.alaw : fake.ulaw).fill(0x2a);
      must(await net.media.play('a', 'p', plan([{ kind: 'prompt', prompt: fake }])));
      net.advance(40);
      expect(a.packets.map(({ payload }) => payload[0])).toEqual([0x2a, 0x2a]);
      expect(results(net)).toEqual([['p', 'completed']]);
    }
  });

  it('reports the end in the tick of the last sample', async () => {
    const net = testMedia();
    await caller(net, 'a');
    must(await net.media.play('a', 'p', plan([prompt(320)])));
    net.advance(20);
    expect(results(net)).toEqual([]);
    net.advance(20);
    expect(results(net)).toEqual([['p', 'completed']]);
  });

  it('waits for what is awaited, with silence, and fails what cannot come', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    const phrases: Phrase[] = [
      { kind: 'awaited', name: 'later' },
      { kind: 'awaited', name: 'never' },
      { kind: 'awaited', name: 'early' },
      prompt(160, 4),
    ];
    must(await net.media.play('a', 'p', plan(phrases)));
    must(await net.media.supply('a', 'p', 'early', preparedPrompt(noise(240, 2))));
    net.advance(500);
    expect(levelOf(a.received)).toBeLessThan(-60);
    must(await net.media.supply('a', 'p', 'later', preparedPrompt(noise(400, 1))));
    must(await net.media.supply('a', 'p', 'never', null));
    a.forget();
    net.advance(200);
    const expected = [noise(400, 1), noise(240, 2), noise(160, 4)].flatMap((part) => [...part]);
    expect(a.received.subarray(0, 800)).toEqual(alawed(Int16Array.from(expected)));
    expect(results(net)).toEqual([['p', 'completed', 'error', 'completed', 'completed']]);
  });

  it('loops until stopped, and stops with the next slice', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    must(await net.media.play('a', 'p', plan([prompt(200, 1), prompt(120, 2)], { loop: { pauseMs: 10 } })));
    net.advance(200);
    const round = [...noise(200, 1), ...noise(120, 2), ...new Int16Array(80)];
    const expected = Int16Array.from([...round, ...round, ...round]);
    expect(a.received.subarray(0, 1_200)).toEqual(alawed(expected));
    must(await net.media.stop('a', 'p'));
    a.forget();
    net.advance(100);
    expect(levelOf(a.received)).toBeLessThan(-60);
    expect(results(net)).toEqual([['p', 'interrupted', 'interrupted']]);
  });

  it('does not circle on a loop of nothing', async () => {
    const net = testMedia();
    await caller(net, 'a');
    must(await net.media.play('a', 'none', plan([], { loop: { pauseMs: 0 } })));
    must(await net.media.play('a', 'zero', plan([{ kind: 'silence', ms: 0 }], { loop: { pauseMs: 0 } })));
    const broken = { ...preparedPrompt(new Int16Array(10)), samples: 99_999 };
    must(
      await net.media.play('a', 'bad', plan([{ kind: 'prompt', prompt: broken }], { loop: { pauseMs: 5 } })),
    );
    net.advance(100);
    expect(results(net).sort()).toEqual([['bad', 'error'], ['none'], ['zero', 'completed']]);
  });

  it('interrupts what had not begun, completes what had ended', async () => {
    const net = testMedia();
    await caller(net, 'a');
    must(await net.media.play('a', 'p', plan([prompt(800), prompt(8_000), prompt(800)])));
    net.advance(300);
    must(await net.media.stop('a', 'p'));
    expect(results(net)).toEqual([['p', 'completed', 'interrupted', 'interrupted']]);
    expect(await net.media.stop('a', 'p')).toMatchObject({ ok: true });
    expect(results(net)).toHaveLength(1);
  });

  it('turns the volume, digits in band and by event', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    const loud: Phrase = { kind: 'tone', segments: [tone(1_000, 400, -10)], volumeDb: -10 };
    const digits: Phrase = { kind: 'digits', digits: '12', onMs: 80, offMs: 80 };
    must(await net.media.play('a', 'p', plan([loud, digits, prompt(1_600)])));
    net.advance(1_000);
    expect(levelAt(a.received.subarray(400, 2_800), 1_000)).toBeCloseTo(-20, 0);
    expect(a.digits).toMatchObject([
      { digit: '1', by: 'rfc4733', ms: 80 },
      { digit: '2', by: 'rfc4733', ms: 80 },
    ]);
    expect(results(net)).toEqual([['p', 'completed', 'completed', 'completed']]);
  });

  it('layers: instead hides, mixed adds, what was hidden goes on where it was', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    const b = await caller(net, 'b');
    must(await net.media.connect('a', 'b'));
    b.say(render([tone(500, 10_000, -15)]));
    const of = (hz: number, ms: number): Phrase => ({ kind: 'tone', segments: [tone(hz, ms, -15)] });
    net.advance(500);
    const detected = (ms: number) => {
      a.forget();
      net.advance(ms);
      const tail = a.received.subarray(800);
      return [500, 900, 1_300, 1_700].filter((hz) => levelAt(tail, hz) > -20);
    };
    expect(detected(400)).toEqual([500]);
    must(await net.media.play('a', 'music', plan([of(900, 60_000)])));
    expect(detected(400)).toEqual([900]);
    must(await net.media.play('a', 'over', plan([of(1_300, 60_000)], { over: 'mixed' })));
    expect(detected(400)).toEqual([900, 1_300]);
    must(await net.media.play('a', 'prompt', plan([of(1_700, 600)])));
    expect(detected(400)).toEqual([1_700]);
    net.advance(400);
    expect(detected(400)).toEqual([900, 1_300]);
    must(await net.media.stop('a', 'music'));
    expect(detected(400)).toEqual([500, 1_300]);
    must(await net.media.stop('a', 'over'));
    expect(detected(400)).toEqual([500]);
    expect(await net.media.play('a', 'x', plan([of(1, 1)]))).toMatchObject({ ok: true });
    expect(await net.media.play('a', 'x', plan([of(1, 1)]))).toMatchObject({ error: { code: 'Refused' } });
  });

  it('goes to GSM and mu-law legs as samples or bytes, whatever fits', async () => {
    const net = testMedia();
    const a = await caller(net, 'a', { phone: { codec: 'GSM' } });
    const b = await caller(net, 'b', { phone: { codec: 'PCMU' } });
    const prompted: Phrase = { kind: 'prompt', prompt: preparedPrompt(render([tone(1_000, 400, -12)])) };
    for (const leg of ['a', 'b']) must(await net.media.play(leg, 'p', plan([prompted])));
    net.advance(500);
    expect(levelAt(a.received.subarray(800, 2_800), 1_000)).toBeCloseTo(-12, 0);
    const bytes = new Uint8Array(160);
    pcmu.encode(render([tone(1_000, 400, -12)]).subarray(0, 160), bytes, 0);
    expect(b.packets[0]?.payload).toEqual(bytes);
  });
});
