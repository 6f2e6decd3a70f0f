import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resample } from '#appliance/media/audio/index.ts';
import { type DetectorProfile, DtmfDetector } from '#appliance/media/dtmf/index.ts';
import { forEachFrame } from '../../appliance/media/dtmf/digit-signal.ts';

/** The sent audio, as every detector gets it: 8 kHz, through one G.711 law. `lost` says which frames are repetitions. */
export interface Sound {
  readonly samples: Int16Array;
  readonly lost?: ReadonlySet<number>;
}

/** Digits that our detector begins, in their order. */
export function ours(profile: DetectorProfile, { samples, lost }: Sound): string {
  let digits = '';
  const detector = new DtmfDetector(profile, (event) => {
    if (event.kind === 'begin') digits += event.digit;
  });
  for (let tick = 0; (tick + 1) * 160 <= samples.length; tick++) {
    detector.push(samples.subarray(tick * 160, (tick + 1) * 160), tick, lost?.has(tick) ?? false);
  }
  return digits;
}

/** The sound as a leg hands it on when frames are lost: the last one again. */
export function concealed(samples: Int16Array, share: number, seed: number): Sound {
  const out = new Int16Array(Math.ceil(samples.length / 160) * 160);
  const missing = new Set<number>();
  forEachFrame(
    samples,
    (frame, tick, lost) => {
      out.set(frame, tick * 160);
      if (lost) missing.add(tick);
    },
    { share, seed },
  );
  return { samples: out, lost: missing };
}

/** spandsp's receiver, compiled when it is needed. */
export class Spandsp {
  readonly #program: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#program = join(folder, 'spandsp-ear');
    const source = fileURLToPath(new URL('./spandsp-ear.c', import.meta.url));
    run('gcc', ['-O2', '-o', this.#program, source, '-lspandsp']);
  }

  /** Digits of each sound, and the processor time of the fastest of so many rounds, ns. */
  hear(
    sounds: readonly Int16Array[],
    rounds = 1,
  ): readonly { readonly digits: string; readonly ns: number }[] {
    const files = sounds.map((samples, index) => written(this.#folder, `sound-${index}.raw`, samples));
    const lines = run(this.#program, [String(rounds), ...files])
      .trim()
      .split('\n');
    return lines.map((line) => {
      const [, digits = '', ns = ''] = /^"(.*)" (\d+) \d+$/.exec(line) ?? [];
      return { digits, ns: Number(ns) };
    });
  }
}

/** multimon-ng listens at 22,050 Hz only. */
export function multimon(folder: string, samples: Int16Array): string {
  const file = written(folder, 'multimon.raw', resample(samples, 8_000, 22_050));
  const detected = run('multimon-ng', ['-q', '-a', 'DTMF', '-t', 'raw', file]);
  return [...detected.matchAll(/DTMF: (\S)/g)]
    .map(([, digit = '']) => (digit === 'E' ? '*' : digit === 'F' ? '#' : digit))
    .join('');
}

/** Digits heard in their order, and digits that were not sent: by the longest common sequence, the same for everybody. */
export function compare(sent: string, detected: string): { readonly hits: number; readonly extra: number } {
  let row = new Uint16Array(detected.length + 1);
  for (const digit of sent) {
    const next = new Uint16Array(detected.length + 1);
    for (let i = 1; i <= detected.length; i++) {
      const same = digit === detected[i - 1] ? (row[i - 1] ?? 0) + 1 : 0;
      next[i] = Math.max(same, row[i] ?? 0, next[i - 1] ?? 0);
    }
    row = next;
  }
  const hits = row[detected.length] ?? 0;
  return { hits, extra: detected.length - hits };
}

function written(folder: string, name: string, samples: Int16Array): string {
  const file = join(folder, name);
  writeFileSync(file, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
  return file;
}

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (error !== undefined)
    throw new Error(`${program} is not installed, or cannot be started: ${error.message}`);
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout;
}
