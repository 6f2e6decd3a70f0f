import { describe, expect, it } from 'vitest';
import { seeded } from '#test/campaign/campaign.ts';
import { handshakes } from './tone-line.ts';

/** Outcomes of six alarms on a bad line, and how many random numbers they took. */
async function outcome(seed: number) {
  const next = seeded(seed);
  let taken = 0;
  const random = () => {
    taken++;
    return next();
  };
  const results = await handshakes({ random, loss: 0.05, jitterMs: 30, levelDbm0: -25, twistDb: 4 }, 6);
  return { results, taken };
}

describe('alarms in tones on a bad line', () => {
  it('have the same outcome for the same random numbers', async () => {
    expect(await outcome(4_711)).toEqual(await outcome(4_711));
  });

  it('have another for others', async () => {
    expect(await outcome(4_711)).not.toEqual(await outcome(4_712));
  });
});
