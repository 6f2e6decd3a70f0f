import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fail, ok, type Result } from '#shared/result.ts';
import { FRAME_SAMPLES, SAMPLE_RATE } from '../../media/audio/index.ts';
import {
  formatOf,
  isPlainName,
  type RecorderFault,
  type StoringSetting,
  wavFrameBytes,
  wavHeaderBytes,
  wavSettingOf,
} from '../../media/recording/index.ts';
import { wavCoder } from './coder.ts';
import type { Mp3Encoders } from './mp3-coder.ts';
import { SoundFile } from './sound-file.ts';

const HEAD_BYTES = 1_024;
/** A second of audio at a time: in between, running recordings have their turn. */
const BLOCK_SAMPLES = 50 * FRAME_SAMPLES;

/**
 * A finished recording as another file: cut, silenced, and encoded by the ending of its name. Both stretches are meant on the
 * time axis of the original. The original stays.
 */
export async function storeCopy(
  { file, targetFolder, targetName, trim, mask }: StoringSetting,
  folder: string,
  mp3: Mp3Encoders,
): Promise<Result<undefined, RecorderFault>> {
  const path = join(targetFolder, targetName);
  const format = formatOf(targetName);
  if (!isPlainName(targetName) || format === undefined)
    return fail('Refused', `${targetName} is no file name that ends in .wav or .mp3.`);
  if (existsSync(path)) return fail('Exists', `There is an object ${targetName} already; name another.`);
  const source = await open(join(folder, file), 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await source.read(head, 0, HEAD_BYTES, 0);
    const setting = wavSettingOf(head.subarray(0, bytesRead));
    if (setting?.format !== 'pcm16') return fail('Refused', `${file} is no WAV file of this recorder.`);
    const { channels } = setting;
    if (format === 'mp3' && channels > 2)
      return fail('Refused', `${channels} channels do not fit into mp3; store it as .wav.`);
    const [start, unit] = [wavHeaderBytes(setting.format), wavFrameBytes(setting)];
    const total = Math.floor(((await source.stat()).size - start) / unit);
    const sampleAt = (ms: number | undefined, otherwise: number) =>
      ms === undefined ? otherwise : Math.min(total, Math.max(0, Math.round((ms * SAMPLE_RATE) / 1_000)));
    const [from, to] = [sampleAt(trim?.from, 0), sampleAt(trim?.to, total)];
    const hidden = mask === undefined ? [total, total] : [sampleAt(mask.from, 0), sampleAt(mask.to, total)];
    const [hideFrom = total, hideTo = total] = hidden;
    const sound = await SoundFile.create(
      path,
      format === 'wav' ? wavCoder('pcm16', channels) : await mp3.coder(channels === 1 ? 1 : 2),
    );
    const frames = Array.from({ length: channels }, () => new Int16Array(FRAME_SAMPLES));
    const block = Buffer.alloc(BLOCK_SAMPLES * unit);
    let written = 0;
    for (let at = from; at < to; at += BLOCK_SAMPLES) {
      const count = Math.min(BLOCK_SAMPLES, to - at);
      await source.read(block, 0, count * unit, start + at * unit);
      for (let first = 0; first < count; first += FRAME_SAMPLES) {
        for (const [channel, frame] of frames.entries()) {
          for (let i = 0; i < FRAME_SAMPLES; i++) {
            const sample = at + first + i;
            const silent = first + i >= count || (sample >= hideFrom && sample < hideTo);
            frame[i] = silent ? 0 : block.readInt16LE((first + i) * unit + 2 * channel);
          }
        }
        sound.push(frames);
        written += FRAME_SAMPLES;
      }
      await sound.flush(written, false);
      await setImmediate();
    }
    await sound.complete(to - from < 0 ? 0 : written);
    return ok(undefined);
  } finally {
    await source.close();
  }
}
