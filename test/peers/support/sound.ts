import { readFileSync } from 'node:fs';
import { readWav, type Wav } from '#appliance/media/recording/index.ts';
import { runProgram } from './program.ts';

/** Power of one frequency in dB below a full sine of amplitude 32,767, over a whole stretch (Goertzel). */
export function levelAt(samples: Int16Array, frequencyHz: number): number {
  const angle = (2 * Math.PI * frequencyHz) / 8_000;
  let real = 0;
  let imaginary = 0;
  for (let i = 0; i < samples.length; i++) {
    real += (samples[i] ?? 0) * Math.cos(angle * i);
    imaginary += (samples[i] ?? 0) * Math.sin(angle * i);
  }
  return 20 * Math.log10((2 * Math.hypot(real, imaginary)) / samples.length / 32_767 + 1e-9);
}

/** The strongest frequency, Hz, to 0.5. */
export function pitchOf(samples: Int16Array): number {
  const stretch = samples.subarray(0, 8_000);
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (let frequency = 200; frequency <= 3_600; frequency += 0.5) {
    const level = levelAt(stretch, frequency);
    if (level > most) [best, most] = [frequency, level];
  }
  return best;
}

/** How many samples `later` lies behind `earlier`, within ±`most`, where they are most alike. */
export function lagOf(earlier: Int16Array, later: Int16Array, most: number): number {
  let best = 0;
  let alike = Number.NEGATIVE_INFINITY;
  for (let lag = -most; lag <= most; lag++) {
    let sum = 0;
    for (let i = most; i < earlier.length - most; i++) sum += (earlier[i] ?? 0) * (later[i + lag] ?? 0);
    if (sum > alike) [best, alike] = [lag, sum];
  }
  return best;
}

/** The audio that ffmpeg reads from a file. Rejects when it has anything to complain about. */
export async function decodedByFfmpeg(path: string): Promise<Wav> {
  const out = `${path}.decoded.wav`;
  const { code, stderr } = await runProgram('ffmpeg', [
    ...['-v', 'warning', '-nostdin', '-y', '-guess_layout_max', '0', '-i', path],
    ...['-c:a', 'pcm_s16le', out],
  ]);
  if (code !== 0 || stderr !== '') throw new Error(`ffmpeg ${code}: ${stderr}`);
  const read = readWav(readFileSync(out));
  if (!read.ok) throw new Error(read.error.reason);
  return read.value;
}

export const channelOf = ({ channels }: Wav, index: number): Int16Array => {
  const channel = channels[index];
  if (channel === undefined) throw new Error(`there is no channel ${index}`);
  return channel;
};
