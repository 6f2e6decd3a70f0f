import { expect, it } from 'vitest';
import { FRAME_SAMPLES, RingReader, RingWriter, ringMemory } from '#appliance/media/audio/index.ts';
import { must, testMedia } from '#test/support/media.ts';
import { caller, levelAt } from './sound.ts';

const [CALLER, CALLEE, PROGRAM] = [440, 700, 1_000];

/** A program that speaks into the call, frame by frame: a tone of −10 dBm0 or so. */
function program() {
  const ring = ringMemory(8);
  const writer = new RingWriter(ring);
  let at = 0;
  return {
    ring,
    speak(): void {
      const frame = Int16Array.from({ length: FRAME_SAMPLES }, () =>
        Math.round(8_000 * Math.sin((2 * Math.PI * PROGRAM * at++) / 8_000)),
      );
      writer.write(frame, at);
    },
  };
}

/** Two who speak with each other, each in a tone. */
async function pair() {
  const net = testMedia();
  const [a, b] = [await caller(net, 'a'), await caller(net, 'b')];
  must(await net.media.connect('a', 'b'));
  let at = 0;
  const sine = (hz: number, from: number) =>
    Int16Array.from({ length: FRAME_SAMPLES }, (_, i) =>
      Math.round(8_000 * Math.sin((2 * Math.PI * hz * (from + i)) / 8_000)),
    );
  return {
    ...{ net, a, b },
    /** So many frames of everybody. */
    talk(frames: number, speakers: readonly { speak(): void }[] = []): void {
      for (let i = 0; i < frames; i++) {
        a.say(sine(CALLER, at));
        b.say(sine(CALLEE, at));
        for (const each of speakers) each.speak();
        at += FRAME_SAMPLES;
        net.advance(20);
      }
    },
  };
}

it('a program that mixes is audible beside the other party; when it is quiet, nothing changes', async () => {
  const { net, a, talk } = await pair();
  const one = program();
  must(await net.media.play('a', 'live', { phrases: [{ kind: 'live', ring: one.ring }], over: 'mixed' }));
  talk(20);
  a.forget();
  talk(25, [one]);
  expect(levelAt(a.received, CALLEE)).toBeGreaterThan(-20);
  expect(levelAt(a.received, PROGRAM)).toBeGreaterThan(-20);
  talk(10);
  a.forget();
  talk(25);
  expect(levelAt(a.received, CALLEE)).toBeGreaterThan(-20);
  expect(levelAt(a.received, PROGRAM)).toBeLessThan(-50);
});

it('a program that replaces is audible alone while it speaks', async () => {
  const { net, a, talk } = await pair();
  const one = program();
  must(await net.media.play('a', 'live', { phrases: [{ kind: 'live', ring: one.ring }], over: 'instead' }));
  talk(20, [one]);
  a.forget();
  talk(25, [one]);
  expect(levelAt(a.received, PROGRAM)).toBeGreaterThan(-20);
  expect(levelAt(a.received, CALLEE)).toBeLessThan(-40);
  talk(10);
  a.forget();
  talk(25);
  expect(levelAt(a.received, CALLEE)).toBeGreaterThan(-20);
});

it('a program that two hear is recorded once', async () => {
  const { net, a, b, talk } = await pair();
  const [one, two] = [program(), program()];
  const rings = [ringMemory(), ringMemory()];
  must(await net.media.play('a', 'live', { phrases: [{ kind: 'live', ring: one.ring }], over: 'mixed' }));
  must(
    await net.media.play('b', 'live', {
      phrases: [{ kind: 'live', ring: two.ring }],
      over: 'mixed',
      shared: true,
    }),
  );
  const channels = ['a', 'b'].map((leg, index) => ({ legs: [leg], ring: rings[index] ?? ringMemory() }));
  must(await net.media.tap('t', { channels, of: 'heard' }));
  talk(10);
  a.forget();
  b.forget();
  talk(50, [one, two]);
  for (const phone of [a, b]) expect(levelAt(phone.received, PROGRAM)).toBeGreaterThan(-20);
  const [first, second] = rings.map((ring) => {
    const reader = new RingReader(ring);
    const frame = new Int16Array(FRAME_SAMPLES);
    const all: number[] = [];
    while (reader.read(frame) !== undefined) all.push(...frame);
    return Int16Array.from(all).subarray(FRAME_SAMPLES * 15);
  });
  expect(levelAt(first ?? new Int16Array(0), PROGRAM)).toBeGreaterThan(-20);
  expect(levelAt(second ?? new Int16Array(0), PROGRAM)).toBeLessThan(-45);
});
