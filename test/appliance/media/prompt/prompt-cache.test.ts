import { describe, expect, it } from 'vitest';
import type { PreparedPrompt } from '#appliance/media/control/index.ts';
import { bytesOf, PromptCache } from '#appliance/media/prompt/index.ts';

const prompt = (samples: number): PreparedPrompt => ({
  samples,
  pcm: new SharedArrayBuffer(2 * samples),
  alaw: new SharedArrayBuffer(samples),
  ulaw: new SharedArrayBuffer(samples),
});

describe('the cache of prompts', () => {
  it('counts four bytes a sample', () => {
    const cache = new PromptCache<number>(1_000);
    cache.put('a', prompt(100), 1);
    expect(bytesOf(prompt(100))).toBe(400);
    expect(cache.bytes).toBe(400);
    cache.put('a', prompt(50), 1);
    expect(cache.bytes).toBe(200);
    cache.drop('a');
    expect([cache.bytes, cache.get('a')]).toEqual([0, undefined]);
  });

  it('lets the least recently used go first', () => {
    const cache = new PromptCache<string>(1_000);
    const [a, b, c] = [prompt(100), prompt(100), prompt(100)];
    cache.put('a', a, '');
    cache.put('b', b, '');
    cache.get('a');
    cache.put('c', c, '');
    expect(cache.bytes).toBe(800);
    // `b` has fallen out, but this test still holds it: it is found, and pushes `a` out in turn.
    expect(cache.get('b')?.prompt).toBe(b);
    expect(cache.bytes).toBe(800);
  });

  it('finds what has fallen out while a leg plays it, with what was known of it', () => {
    const cache = new PromptCache<string>(399);
    const playing = prompt(100);
    cache.put('a', playing, 'version 1');
    expect(cache.bytes).toBe(0);
    expect(cache.get('a')).toEqual({ prompt: playing, mark: 'version 1' });
    expect(cache.bytes).toBe(0);
  });
});
