import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { talk } from './dtmf/talk.ts';
import type { GsmAnswer, GsmSetting, GsmTurn } from './process/gsm-coding.ts';
import type { Bench, BenchContext, BenchResult, Figure } from './support/bench.ts';
import { startChild } from './support/child-process.ts';
import { median } from './support/figure.ts';
import { inPlace } from './support/place.ts';

/**
 * Row 13: GSM full rate against libgsm: the same bytes both ways, and processor time. The peer is its own program (`toast`),
 * whose reading and writing of files is taken off by timing it on an empty file.
 */
export const gsm: Bench = { row: 13, name: 'gsm', run };

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  return await inPlace(async (place) => {
    const folder = place.folder();
    const spoken = await talk(quick ? 280 : 1_400);
    const samples = frames(Int16Array.from(spoken.flatMap(({ samples: each }) => [...each])));
    const seconds = samples.length / 8_000;
    const raw = join(folder, 'talk.s16');
    writeFileSync(raw, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
    toast(folder, 'encode', raw, join(folder, 'talk.gsm'));
    toast(folder, 'decode', join(folder, 'talk.gsm'), join(folder, 'back.s16'));
    const encoded = new Uint8Array(readFileSync(join(folder, 'talk.gsm')));
    const decoded = readFileSync(join(folder, 'back.s16'));
    const child = await place.keep(
      startChild<GsmSetting, null, GsmTurn, GsmAnswer>(coding, { samples, encoded }),
    );
    const figures: Figure[] = [];
    for (const direction of ['encode', 'decode'] as const) {
      const wanted = direction === 'encode' ? encoded : decoded;
      const input = direction === 'encode' ? raw : join(folder, 'talk.gsm');
      const turns: { readonly ours: number; readonly peer: number }[] = [];
      let exact = true;
      for (let round = 0; round < (quick ? 3 : 7); round++) {
        const mine = await child.ask({ direction, rounds: 3 });
        exact &&= Buffer.from(mine.out).equals(wanted);
        const times = [0, 1, 2].map(() => toast(folder, direction, input, join(folder, 'out')));
        turns.push({ ours: mine.ns / 1_000 / seconds, peer: Math.min(...times) / seconds });
      }
      say(
        `${direction}: exact ${exact}, rounds ${turns.map(({ ours, peer }) => (ours / peer).toFixed(2)).join(' ')}`,
      );
      const ratio = median(turns.map(({ ours, peer }) => ours / peer));
      figures.push({
        row: 13,
        what: `processor time to ${direction} a second as GSM, byte for byte; peer libgsm`,
        unit: 'µs',
        ours: median(turns.map(({ ours }) => ours)),
        peer: median(turns.map(({ peer }) => peer)),
        judged: exact ? ratio : Number.POSITIVE_INFINITY,
        gate: 3,
        ambition: 2,
        wanted: 'most',
      });
    }
    return {
      figures,
      notes: [
        `${seconds.toFixed(0)} s of speech by ${spoken.length} voices, rounds in turn, median; each the fastest of three`,
        'the peer: `toast -l` of Debian with its files in memory, start of the program taken off; ours: a frame at a time',
      ],
    };
  });
}

const coding = new URL('./process/gsm-coding.ts', import.meta.url);

const frames = (samples: Int16Array): Int16Array => samples.slice(0, samples.length - (samples.length % 160));

/** Converts a file; answers the processor time in µs without that of an empty one. */
function toast(folder: string, direction: 'encode' | 'decode', from: string, to: string): number {
  const empty = join(folder, 'empty');
  writeFileSync(empty, '');
  const flags = direction === 'encode' ? '-lc' : '-dlc';
  const timed = (input: string, output: string): number => {
    const line = `toast ${flags} <"$1" >"$2" && times`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', line, 'bash', input, output], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`toast ended with ${status}: ${stderr}`);
    const [children = ''] = stdout.trim().split('\n').slice(-1);
    return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
      (sum, [, minute, second]) => sum + (60 * Number(minute) + Number(second)) * 1e6,
      0,
    );
  };
  return timed(from, to) - timed(empty, join(folder, 'none'));
}
