import { describe, expect, it } from 'vitest';
import { FRAME_SAMPLES } from '#appliance/media/audio/index.ts';
import { render, silence, tone } from '#appliance/media/dtmf/index.ts';
import { SpokenChannel, type SpokenEvent } from '#appliance/media/speech/index.ts';

/** The news of a channel that hears this; `from`: tick of its first frame. */
function eventsOf(samples: Int16Array, channel = new SpokenChannel(), from = 1_000): SpokenEvent[] {
  const events: SpokenEvent[] = [];
  for (let at = 0; at + FRAME_SAMPLES <= samples.length; at += FRAME_SAMPLES)
    events.push(
      ...[channel.push(samples.subarray(at, at + FRAME_SAMPLES), from + at / FRAME_SAMPLES) ?? []].flat(),
    );
  return events;
}
const of = <Kind extends SpokenEvent['kind']>(events: readonly SpokenEvent[], kind: Kind) =>
  events.filter((each): each is Extract<SpokenEvent, { kind: Kind }> => each.kind === kind);
const say = (...segments: Parameters<typeof render>[0]) => render(segments);

describe('a channel of a recording', () => {
  it('is a row of utterances, each at its place', () => {
    const events = eventsOf(
      say(silence(2_000), tone(500, 1_000, -15), silence(2_000), tone(500, 600, -15), silence(1_000)),
    );
    const ended = of(events, 'ended');
    expect(ended).toHaveLength(2);
    // The lead is 300 ms at most, and a pause of 700 ms ends an utterance.
    expect(ended.map(({ offsetMs }) => Math.round(offsetMs / 100) * 100)).toEqual([1_800, 4_800]);
    expect(ended.map(({ durationMs }) => Math.round(durationMs / 100) * 100)).toEqual([1_900, 1_500]);
    expect(ended.every(({ samples, durationMs }) => samples.length === durationMs * 8)).toBe(true);
  });

  it('gives an utterance piece by piece while it is spoken: the pieces are the whole', () => {
    const events = eventsOf(say(silence(500), tone(500, 900, -15), silence(900)));
    const [began] = of(events, 'began');
    const [whole] = of(events, 'ended');
    const pieces = [began?.samples, ...of(events, 'spoken').map(({ samples }) => samples)];
    const reported = pieces.flatMap((samples) => [...(samples ?? [])]);
    expect(began?.offsetMs).toBe(whole?.offsetMs);
    // The frame that ends it is silence.
    expect(reported).toEqual([...(whole?.samples ?? [])].slice(0, -FRAME_SAMPLES));
  });

  it('speech without a pause is a line every 15 s', () => {
    const ended = of(eventsOf(say(tone(500, 32_000, -15), silence(1_000))), 'ended');
    expect(ended).toHaveLength(3);
    expect(ended.slice(0, 2).every(({ durationMs }) => durationMs <= 15_400)).toBe(true);
  });

  it('a cut ends what is being spoken, and nothing else', () => {
    const channel = new SpokenChannel();
    expect(channel.cut()).toBeUndefined();
    eventsOf(say(silence(500), tone(500, 500, -15)), channel);
    expect(channel.cut()).toMatchObject({ kind: 'ended' });
    expect(channel.cut()).toBeUndefined();
    expect(of(eventsOf(say(silence(1_000)), channel, 2_000), 'ended')).toEqual([]);
  });

  it('a hole of the ring moves what follows it', () => {
    const channel = new SpokenChannel();
    eventsOf(say(silence(1_000)), channel, 0);
    const [ended] = of(eventsOf(say(tone(500, 500, -15), silence(900)), channel, 550), 'ended');
    expect(ended?.offsetMs).toBeGreaterThanOrEqual(10_700);
    expect(ended?.offsetMs).toBeLessThanOrEqual(11_000);
  });
});
