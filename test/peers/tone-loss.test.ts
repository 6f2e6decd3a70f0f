import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from './support/program.ts';
import type { ToneLoss } from './support/tone-loss.ts';

const program = fileURLToPath(new URL('./support/tone-loss.ts', import.meta.url));
/** Packets lost, in percent, and jitter, in ms. */
const LINES = ['0/0', '0/30', '1/30', '2/30'];
const WITHIN_MS = 400_000;

let measured: readonly ToneLoss[];
/** Tones that each unit heard and said whose alarm was not acknowledged at first. */
let stories: string;

describe('alarms in tones over RTP that nftables thins out, and a relay disorders', () => {
  beforeAll(async () => {
    const { code, stdout, stderr } = await runProgram(
      'unshare',
      // Audio is made in time: what else this machine does must not be heard in the figures.
      ['--net', 'nice', '-n', '-10', process.execPath, program, ...LINES],
      { withinMs: WITHIN_MS },
    );
    expect(code, stderr).toBe(0);
    stories = stderr;
    console.log(stories);
    measured = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as ToneLoss);
    for (const { percent, jitterMs, handshakes, acknowledged, atFirst, seen, lost, jittered } of measured)
      console.log(
        `${percent} % loss (${lost} of ${seen} packets), ${jitterMs} ms jitter (${jittered.overtaken} of ${jittered.passed} overtaken): ${acknowledged} of ${handshakes} acknowledged, ${atFirst} at first`,
      );
  }, WITHIN_MS);

  it('BS 8521 over a good line: every handshake at first', () => {
    expect(measured[0], stories).toMatchObject({
      ...{ percent: 0, jitterMs: 0, lost: 0 },
      ...{ handshakes: 20, acknowledged: 20, atFirst: 20 },
    });
    expect(measured[0]?.jittered.overtaken).toBe(0);
  });

  it('BS 8521 over worse ones: measured, with packets that were really lost and overtaken', () => {
    expect(measured.map(({ percent, jitterMs }) => `${percent}/${jitterMs}`)).toEqual(LINES);
    for (const { percent, seen, lost, jittered } of measured.slice(1)) {
      expect(lost / seen).toBeGreaterThanOrEqual(percent / 200);
      expect(lost / seen).toBeLessThanOrEqual(percent / 50);
      expect(jittered.passed).toBeGreaterThan(1_000);
      // Two that are 20 ms apart, each kept for up to 30 ms: one in eighteen.
      expect(jittered.overtaken / jittered.passed).toBeGreaterThan(0.03);
    }
  });
});
