import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from './support/program.ts';
import type { ToneLoss } from './support/tone-loss.ts';

const program = fileURLToPath(new URL('./support/tone-loss.ts', import.meta.url));
const PERCENTS = [0, 1, 2];
const WITHIN_MS = 400_000;

let measured: readonly ToneLoss[];
/** What each unit heard and said whose alarm was not acknowledged at first. */
let stories: string;

describe('alarms in tones over RTP that nftables thins out', () => {
  beforeAll(async () => {
    const { code, stdout, stderr } = await runProgram(
      'unshare',
      // Audio is made in time: what else this machine does must not be heard in the figures.
      ['--net', 'nice', '-n', '-10', process.execPath, program, ...PERCENTS.map(String)],
      { withinMs: WITHIN_MS },
    );
    expect(code, stderr).toBe(0);
    stories = stderr;
    measured = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as ToneLoss);
    for (const { percent, handshakes, acknowledged, atFirst, seen, lost } of measured)
      console.log(
        `${percent} % loss (${lost} of ${seen} packets): ${acknowledged} of ${handshakes} acknowledged, ${atFirst} at first`,
      );
  }, WITHIN_MS);

  it('BS 8521 without loss: every handshake at first', () => {
    expect(measured[0], stories).toMatchObject({
      percent: 0,
      lost: 0,
      handshakes: 20,
      acknowledged: 20,
      atFirst: 20,
    });
  });

  it('BS 8521 with loss: measured, with packets that were really lost', () => {
    expect(measured.map(({ percent }) => percent)).toEqual(PERCENTS);
    for (const { percent, seen, lost } of measured.slice(1)) {
      expect(lost / seen).toBeGreaterThan(percent / 200);
      expect(lost / seen).toBeLessThan(percent / 50);
    }
  });
});
