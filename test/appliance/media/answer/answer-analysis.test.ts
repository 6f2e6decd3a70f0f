import { describe, expect, it, vi } from 'vitest';
import { AnswerAnalysis, type AnswerSign } from '#appliance/media/answer/index.ts';
import { FRAME_SAMPLES, levelOf, NoiseSource } from '#appliance/media/audio/index.ts';
import { CADENCES, cadence, dtmf, silence, tone } from '#appliance/media/dtmf/index.ts';
import { LAWS, through } from '../dtmf/digit-signal.ts';
import { joined, mixed, quiet, speech, tones } from './callee-sound.ts';

interface Detected {
  readonly sign: AnswerSign;
  readonly atMs: number;
}

/** Signs in a sound; `sent`: what we say at the same time; each law must give the same ones. */
function signsIn(sound: Int16Array, sent?: Int16Array): readonly Detected[] {
  const [alaw, mulaw] = Object.values(LAWS).map((law) => detected(through(law, sound), sent));
  expect(mulaw?.map(({ sign }) => sign)).toEqual(alaw?.map(({ sign }) => sign));
  return alaw ?? [];
}

function detected(sound: Int16Array, sent?: Int16Array): Detected[] {
  const found: Detected[] = [];
  const analysis = new AnswerAnalysis((sign, atMs) => found.push({ sign, atMs }));
  for (let at = 0; at + FRAME_SAMPLES <= sound.length; at += FRAME_SAMPLES) {
    if (sent !== undefined) analysis.sent(levelOf(sent.subarray(at, at + FRAME_SAMPLES)));
    analysis.push(sound.subarray(at, at + FRAME_SAMPLES), true, false);
  }
  return found;
}

const kinds = (sound: Int16Array, sent?: Int16Array) => signsIn(sound, sent).map(({ sign }) => sign);

const noise = (ms: number, levelDbm0: number): Int16Array => {
  const out = new Int16Array(ms * 8);
  new NoiseSource(5).fill(out, levelDbm0);
  return out;
};

const COUNTRIES = Object.entries(CADENCES);

describe.each(COUNTRIES)('the tones of %s', (_, { busy, ringback }) => {
  const busyTone = cadence(busy);
  const periodMs = busy.reduce((sum, { ms }) => sum + ms, 0);

  it('busy is known with its fourth tone', () => {
    const [first, ...more] = signsIn(tones(Array.from({ length: 5 }, () => busyTone).flat()));
    expect(first?.sign).toBe('busy');
    expect(first?.atMs).toBeLessThanOrEqual(4 * periodMs);
    expect(more).toEqual([]);
  });

  it('busy that began before the answer, quiet, with noise 15 dB below it and 1 % off, is busy', () => {
    const off = busy.map(({ hz, ms }) => ({ hz: hz.map((each) => each * 1.01), ms: ms * 1.04 }));
    const sound = tones(Array.from({ length: 6 }, () => cadence(off, -25)).flat()).subarray(8 * 110);
    expect(kinds(mixed(sound, noise(sound.length / 8, -40)))[0]).toBe('busy');
  });

  it('three tones of busy are not sure yet', () => {
    expect(kinds(joined(tones(Array.from({ length: 3 }, () => busyTone).flat()), quiet(1_000)))).toEqual([]);
  });

  it('ringback is known 1.5 s after its burst', () => {
    const [first] = signsIn(tones([...cadence(ringback), ...cadence(ringback)]));
    expect(first?.sign).toBe('ringback');
    const burstMs = ringback.slice(0, -1).reduce((sum, { ms }) => sum + ms, 0);
    expect(first?.atMs).toBeGreaterThanOrEqual(burstMs + 1_400);
    expect(first?.atMs).toBeLessThanOrEqual(burstMs + 1_600);
  });
});

describe('a tone that is no call progress tone', () => {
  const row = (onMs: number, offMs: number, hz = 425) =>
    tones(Array.from({ length: 6 }, () => [tone(hz, onMs), silence(offMs)]).flat());

  it.each([
    ['its pauses are too long', row(250, 400)],
    ['its tones are too long', row(700, 250)],
    ['its frequency is another', row(250, 250, 350)],
    ['it has speech in its pauses', mixed(row(250, 250), speech(3_000))],
    ['it never pauses', tones([tone(425, 5_000)])],
  ])('%s', (_, sound) => {
    expect(kinds(sound).filter((sign) => sign === 'busy' || sign === 'ringback')).toEqual([]);
  });
});

describe('the beginning of an answer', () => {
  it('is a greeting after 3 s of speech', () => {
    const [first, ...more] = signsIn(joined(quiet(700), speech(9_000)));
    expect(more).toEqual([]);
    expect(first?.sign).toBe('greeting');
    expect(first?.atMs).toBeGreaterThanOrEqual(3_600);
    expect(first?.atMs).toBeLessThanOrEqual(3_900);
  });

  it('is a greeting with pauses of 0.9 s between its sentences', () => {
    expect(kinds(joined(speech(1_400), quiet(900), speech(2_000)))).toEqual(['greeting']);
  });

  it.each([
    ['a word and a pause', joined(speech(700), quiet(1_200), speech(6_000))],
    ['two words', joined(speech(600), quiet(500), speech(800), quiet(8_000))],
    ['speech that begins after 6 s', joined(quiet(6_000), speech(9_000))],
    ['silence', quiet(20_000)],
    ['noise of a street 25 dB below a word', mixed(joined(speech(900), quiet(12_000)), noise(12_900, -41))],
    ['noise of a street, loud and steady', noise(20_000, -30)],
    ['noise that begins after a silence', joined(quiet(1_500), noise(20_000, -34))],
    [
      'a name behind the noise of a street that comes and goes',
      joined(repeatedNoise(1_200), speech(2_100), quiet(6_000)),
    ],
    ['keys', tones(dtmfOf('1'))],
  ])('is a person: %s', (_, sound) => {
    expect(kinds(sound)).toEqual([]);
  });

  it('begins behind a click', () => {
    expect(kinds(joined(noise(40, -12), quiet(1_500), speech(4_000)))).toEqual(['greeting']);
  });

  it('is no greeting where it is the echo of what we say, and one where it is louder', () => {
    const said = speech(6_000, -12);
    const echo = said.map((sample) => Math.round(sample * 10 ** (-18 / 20)));
    expect(kinds(joined(quiet(40), echo), said)).toEqual([]);
    expect(kinds(speech(6_000, -14, 3), said)).toEqual(['greeting']);
  });
});

/** Noise that rises and falls by 12 dB, as cars that pass. */
function repeatedNoise(ms: number): Int16Array {
  return noise(ms, -31).map((sample, n) => Math.round(sample * (0.25 + 0.75 * Math.abs(Math.sin(n / 900)))));
}

function dtmfOf(digits: string) {
  const made = dtmf(digits);
  if (!made.ok) throw new Error(made.error.code);
  return made.value;
}

describe('a beep', () => {
  const beepOf = (hz: number, ms: number, levelDbm0 = -14) => tones([tone(hz, ms, levelDbm0)]);

  it.each([
    [1_000, 200],
    [1_400, 500],
    [850, 1_000],
    [2_000, 300],
  ])('at %i Hz and %i ms behind a long greeting ends it, 1.2 s after it', (hz, ms) => {
    const before = 6_000 + 400;
    const found = signsIn(joined(speech(6_000), quiet(400), beepOf(hz, ms), quiet(2_000)));
    expect(found.map(({ sign }) => sign)).toEqual(['greeting', 'greetingBeep']);
    expect((found[1]?.atMs ?? 0) - before - ms).toBeGreaterThanOrEqual(1_180);
    expect((found[1]?.atMs ?? 0) - before - ms).toBeLessThanOrEqual(1_260);
  });

  it('is a beep alone without that much speech before it, and long after it', () => {
    expect(kinds(joined(speech(1_500), quiet(400), beepOf(1_000, 400), quiet(2_000)))).toEqual(['beep']);
    expect(kinds(joined(quiet(800), beepOf(1_000, 400), quiet(2_000)))).toEqual(['beep']);
    const late = joined(speech(6_000), quiet(3_500), beepOf(1_000, 400), quiet(2_000));
    expect(kinds(late)).toEqual(['greeting', 'beep']);
  });

  it.each([
    ['with speech behind it', joined(beepOf(1_000, 400), quiet(600), speech(1_000), quiet(1_500))],
    ['in a row', joined(...Array.from({ length: 6 }, () => [beepOf(1_000, 100), quiet(900)]).flat())],
    ['of 80 ms', joined(beepOf(1_000, 80), quiet(2_000))],
    ['of 2.6 s, as a fax', joined(beepOf(2_100, 2_600), quiet(2_000))],
    ['that glides, as a whistle', joined(glide(900, 1_200, 500), quiet(2_000))],
    ['of two frequencies', joined(mixed(beepOf(770, 400), beepOf(1_336, 400)), quiet(2_000))],
    ['of three, one after the other (SIT)', joined(...[950, 1_400, 1_800].map((hz) => beepOf(hz, 330)))],
    ['below the floor', joined(beepOf(1_000, 400, -46), quiet(2_000))],
  ])('is none %s', (_, sound) => {
    expect(kinds(sound).filter((sign) => sign !== 'greeting')).toEqual([]);
  });
});

/** A sine whose frequency moves evenly. */
function glide(fromHz: number, toHz: number, ms: number): Int16Array {
  let phase = 0;
  const length = ms * 8;
  return Int16Array.from({ length }, (_, n) => {
    phase += (2 * Math.PI * (fromHz + ((toHz - fromHz) * n) / length)) / 8_000;
    return Math.round(6_000 * Math.sin(phase));
  });
}

it('says nothing of frames that are made up', () => {
  const found: AnswerSign[] = [];
  const analysis = new AnswerAnalysis((sign) => found.push(sign));
  const sound = speech(8_000);
  for (let at = 0; at < sound.length; at += FRAME_SAMPLES)
    analysis.push(sound.subarray(at, at + FRAME_SAMPLES), true, true);
  expect(found).toEqual([]);
});

it('calculates the sines of all countries once for all calls', () => {
  new AnswerAnalysis(() => undefined);
  const [cosine, sine] = [vi.spyOn(Math, 'cos'), vi.spyOn(Math, 'sin')];
  new AnswerAnalysis(() => undefined);
  const calculated = cosine.mock.calls.length + sine.mock.calls.length;
  cosine.mockRestore();
  sine.mockRestore();
  // The filters of the other detectors are a few each; one axis of a tone has as many sines as a frame has samples.
  expect(calculated).toBeLessThan(FRAME_SAMPLES);
});
