import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Mp3Encoders } from '#appliance/io/recorder/mp3-coder.ts';
import { FRAME_SAMPLES } from '#appliance/media/audio/index.ts';

/**
 * Encodes interleaved 16-bit stereo as the recorder's thread does, frame by frame, and prints the processor time of all
 * threads of this process in ms. Encoded once before, so that everything is compiled.
 */
const [file = ''] = process.argv.slice(2);
const bytes = readFileSync(file);
const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
const encoders = await Mp3Encoders.load(fileURLToPath(import.meta.resolve('wasm-media-encoders/wasm/mp3')));

async function encode(frames: number): Promise<number> {
  const coder = await encoders.coder(2);
  const channels = [new Int16Array(FRAME_SAMPLES), new Int16Array(FRAME_SAMPLES)] as const;
  let written = 0;
  for (let frame = 0; frame < frames; frame++) {
    const at = frame * FRAME_SAMPLES * 2;
    for (let i = 0; i < FRAME_SAMPLES; i++) {
      channels[0][i] = samples[at + 2 * i] ?? 0;
      channels[1][i] = samples[at + 2 * i + 1] ?? 0;
    }
    written += coder.encode(channels).length;
  }
  return written + coder.finish().length;
}

const frames = Math.floor(samples.length / (2 * FRAME_SAMPLES));
await encode(Math.min(frames, 3_000));
const before = process.cpuUsage();
const written = await encode(frames);
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ ms: (user + system) / 1_000, written }));
