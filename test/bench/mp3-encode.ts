import { spawn } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, BenchContext, BenchResult } from './support/bench.ts';
import { median } from './support/figure.ts';
import { inPlace } from './support/place.ts';

/**
 * Row 13: MP3 of a call, two channels at 32 kbit/s each, 8 kHz, against native LAME at its default quality. Both encode the
 * same file in turn; ours frame by frame as it comes from the rings, the peer as fast as it can read.
 */
export const mp3Encode: Bench = { row: 13, name: 'mp3-encode', run };

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  const minutes = quick ? 1 : 10;
  const repetitions = quick ? 3 : 7;
  return await inPlace(async (place) => {
    const folder = place.folder();
    const raw = join(folder, 'call.raw');
    writeFileSync(raw, talk(minutes * 60));
    const rounds: { readonly ours: number; readonly peer: number }[] = [];
    const out = join(folder, 'call.mp3');
    let written = 0;
    for (let round = 1; round <= repetitions; round++) {
      const ours = JSON.parse(await outputOf(process.execPath, [encoding, raw])) as {
        ms: number;
        written: number;
      };
      const peer = await peerMs(raw, out);
      written = ours.written;
      rounds.push({ ours: ours.ms / minutes, peer: peer / minutes });
      say(`round ${round}: ours ${ours.ms.toFixed(0)} ms, LAME ${peer.toFixed(0)} ms`);
    }
    // The peer adds an Info frame of its own.
    const alike = Math.abs(statSync(out).size - 576 - written) <= 2 * 576;
    return {
      figures: [
        {
          row: 13,
          what: 'processor time for a minute of call as MP3, two channels; peer native LAME',
          unit: 'ms',
          ours: median(rounds.map((each) => each.ours)),
          peer: median(rounds.map((each) => each.peer)),
          judged: alike ? median(rounds.map((each) => each.ours / each.peer)) : Number.POSITIVE_INFINITY,
          gate: 1.5,
          ambition: 1,
          wanted: 'most',
        },
      ],
      notes: [
        `${minutes} min of two people talking in turns, ${repetitions} rounds in turn, median; ours warmed up by 60 s`,
        `64 kbit/s CBR both, joint stereo, quality 3 (default of both); bytes alike: ${alike}`,
        'ours: compiled to WebAssembly, called for every 200 ms; start of the process not counted; the peer: start counted (5 ms)',
      ],
    };
  });
}

const encoding = fileURLToPath(new URL('./process/mp3-encoding.ts', import.meta.url));

/** Processor time of LAME, by the shell's own account of its children. */
async function peerMs(raw: string, out: string): Promise<number> {
  const lame = 'lame --quiet -r -s 8 --bitwidth 16 --signed --little-endian -m j --cbr -b 64';
  const times = await outputOf('bash', ['-c', `${lame} "$1" "$2" && times`, 'bash', raw, out]);
  const [children = ''] = times.trim().split('\n').slice(-1);
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minute, second]) => sum + (60 * Number(minute) + Number(second)) * 1_000,
    0,
  );
}

function outputOf(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (part) => {
    text += part;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(text) : reject(new Error(`${program} ended with ${code}`)),
    );
  });
}

/** Two voices in turns: harmonics that glide, syllables, breath; interleaved 16-bit samples. */
function talk(seconds: number): Uint8Array {
  const samples = new Int16Array(seconds * 16_000);
  let state = 7;
  const phases = [0, 0];
  for (let i = 0; i < seconds * 8_000; i++) {
    const at = i / 8_000;
    for (const side of [0, 1]) {
      state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff;
      const breath = (state / 0x4000_0000 - 1) * 300;
      const talks = Math.floor(at / 3) % 2 === side;
      const syllable = talks ? Math.max(0, Math.sin(2 * Math.PI * 4 * at)) : 0;
      const pitch = (side === 0 ? 120 : 210) * (1 + 0.2 * Math.sin(2 * Math.PI * 0.7 * at));
      phases[side] = ((phases[side] ?? 0) + pitch / 8_000) % 1;
      let voice = 0;
      for (let harmonic = 1; harmonic <= 12; harmonic++) {
        voice += Math.sin(2 * Math.PI * harmonic * (phases[side] ?? 0)) / harmonic;
      }
      samples[2 * i + side] = Math.round(4_000 * syllable * voice + breath);
    }
  }
  return new Uint8Array(samples.buffer);
}
