import { open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { SAMPLE_RATE } from '../../media/audio/index.ts';
import type { RecordedFile } from '../../media/recording/index.ts';
import {
  formatOf,
  mp3Channels,
  mp3FrameBytes,
  mp3InfoFrame,
  mp3SamplesIn,
  wavFrameBytes,
  wavHeader,
  wavHeaderBytes,
  wavSettingOf,
} from '../../media/recording/index.ts';
import { digestOf } from './digest.ts';
import { PART, syncFolder, writeAll } from './sound-file.ts';

/** Enough for the head of either format. */
const HEAD_BYTES = 1_024;

/** The plan to make a whole file of one that stops somewhere. */
interface Plan {
  readonly channels: number;
  readonly headBytes: number;
  readonly unitBytes: number;
  samplesIn(bodyBytes: number): number;
  head(bodyBytes: number): Uint8Array;
}

export interface Completed {
  readonly file: RecordedFile;
  readonly durationMs: number;
}

/** Unfinished recordings below the folder, by the names they would have had. */
export async function leftovers(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(PART))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).slice(0, -PART.length))
    .sort();
}

/**
 * Makes a recording of what its writer left: cuts the audio to whole units, writes the head that fits, syncs, renames.
 * A file without audio keeps its name and is empty. Rejects when it is no recording, or with the system's error; then
 * nothing has changed that a second try would miss.
 */
export async function completePart(folder: string, file: string): Promise<Completed> {
  const path = join(folder, file);
  const handle = await open(path + PART, 'r+');
  let plan: Plan;
  let bodyBytes: number;
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    plan = planOf(file, buffer.subarray(0, bytesRead));
    const units = Math.max(0, Math.floor((size - plan.headBytes) / plan.unitBytes));
    bodyBytes = units * plan.unitBytes;
    await handle.truncate(plan.headBytes + bodyBytes);
    await writeAll(handle, plan.head(bodyBytes), 0);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(path + PART, path);
  await syncFolder(dirname(path));
  const format = formatOf(file) ?? 'wav';
  return {
    file: { file, format, channels: plan.channels, ...(await digestOf(path)) },
    durationMs: Math.round((plan.samplesIn(bodyBytes) * 1_000) / SAMPLE_RATE),
  };
}

export const dropPart = (folder: string, file: string): Promise<void> => rm(join(folder, file) + PART);

/** a file whose writer died before the head was on the disk is taken for one of one channel. */
function planOf(file: string, head: Uint8Array): Plan {
  if (formatOf(file) === 'mp3') {
    const channels = head.length === 0 ? 1 : mp3Channels(head);
    if (channels === undefined) throw new Error('it does not begin as our MP3 files do');
    const unitBytes = mp3FrameBytes(channels);
    // How much of the last frames was sound is not known: all of it is taken for sound.
    const samplesIn = (bodyBytes: number) => mp3SamplesIn(bodyBytes / unitBytes);
    return {
      channels,
      headBytes: unitBytes,
      unitBytes,
      samplesIn,
      head: (bodyBytes) =>
        mp3InfoFrame({ channels, frames: bodyBytes / unitBytes, samples: samplesIn(bodyBytes) }),
    };
  }
  const setting =
    head.length === 0
      ? ({ format: 'pcm16', channels: 1, sampleRate: SAMPLE_RATE } as const)
      : wavSettingOf(head);
  if (setting === undefined) throw new Error('it does not begin as our WAV files do');
  const unitBytes = wavFrameBytes(setting);
  return {
    channels: setting.channels,
    headBytes: wavHeaderBytes(setting.format),
    unitBytes,
    samplesIn: (bodyBytes) => bodyBytes / unitBytes,
    head: (bodyBytes) => wavHeader(setting, bodyBytes),
  };
}
