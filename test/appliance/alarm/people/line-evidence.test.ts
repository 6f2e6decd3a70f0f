import { describe, expect, it } from 'vitest';
import { LineEvidence } from '#appliance/alarm/people/line-evidence.ts';
import type { MediaEvent } from '#appliance/media/control/index.ts';

/** Tones one after another, each with its frequency, its length and the pause before it, ms. */
function received(tones: readonly (readonly [hz: number, ms: number, pauseMs?: number])[]): unknown[] {
  const evidence = new LineEvidence();
  let atMs = 0;
  return tones.map(([frequencyHz, durationMs, pauseMs = 20]) => {
    atMs += pauseMs + durationMs;
    const event: MediaEvent = { kind: 'tone', leg: 'a', frequencyHz, edge: 'end', atMs, durationMs };
    return evidence.evidenceOf(event);
  });
}

describe('the tones of a line', () => {
  it.each([
    [
      'of a network announcement',
      [
        [950, 330],
        [1_400, 330],
        [1_800, 330],
      ],
    ],
    [
      'of the second set of them',
      [
        [914, 330],
        [1_371, 330],
        [1_777, 330],
      ],
    ],
    [
      'of an announcement whose first tone was cut',
      [
        [950, 180],
        [1_400, 330],
        [1_800, 330],
      ],
    ],
    [
      'of an announcement after a single tone',
      [
        [950, 330],
        [950, 330],
        [1_400, 330],
        [1_800, 330],
      ],
    ],
    ['of a fax', [[2_100, 2_600]]],
  ] as const)('%s end it', (_, tones) => {
    const found = received(tones);
    expect(found.at(-1)).toBe('ended');
    expect(found.slice(0, -1).every((each) => each === undefined)).toBe(true);
  });

  it.each([
    [
      'in another order',
      [
        [1_800, 330],
        [1_400, 330],
        [950, 330],
      ],
    ],
    [
      'with a pause as in speech',
      [
        [950, 330],
        [1_400, 330, 400],
        [1_800, 330],
      ],
    ],
    [
      'that are as short as in speech',
      [
        [950, 60],
        [1_400, 60],
        [1_800, 60],
      ],
    ],
    [
      'that are as long as music',
      [
        [950, 900],
        [1_400, 900],
        [1_800, 900],
      ],
    ],
    [
      'of which one is missing',
      [
        [950, 330],
        [1_800, 330],
      ],
    ],
    ['like a whistle', [[2_100, 700]]],
  ] as const)('%s are a person: unsure is human', (_, tones) => {
    expect(received(tones).every((each) => each === undefined)).toBe(true);
  });
});
