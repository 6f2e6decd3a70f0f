import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '#shared/result.ts';
import { FRAME_SAMPLES, Mixer, RingReader } from '../../media/audio/index.ts';
import {
  isPlainName,
  type MappedFile,
  type Mark,
  mapChannels,
  type RecordedFile,
  type RecorderFault,
  type RecordingResult,
  type RecordingSetting,
  Timeline,
} from '../../media/recording/index.ts';
import { type Coder, wavCoder } from './coder.ts';
import { digestOf } from './digest.ts';
import { completePart, dropPart } from './leftover.ts';
import type { Mp3Encoders } from './mp3-coder.ts';
import { SoundFile } from './sound-file.ts';

/** Where recordings go and what makes them. */
export interface Studio {
  readonly folder: string;
  readonly mp3: Mp3Encoders;
}

interface Track {
  readonly mapped: MappedFile;
  readonly sound: SoundFile;
  /** One frame per channel of the file. */
  readonly frames: readonly Int16Array[];
}

/**
 * One recording while it runs: rings are laid out on the time axis, mixed as the layout says, and appended to the files.
 *
 * ```
 *   open ──▶ running ──stop──▶ files complete      pump: many times a second, never waits
 *              │ └──cancel──▶ files removed         flush: every second; every fifth goes to the disk
 *              └──disk refuses──▶ salvage: what is there is completed
 * ```
 */
export class Recording {
  readonly #setting: RecordingSetting;
  readonly #studio: Studio;
  readonly #timeline: Timeline;
  readonly #inputs: readonly Int16Array[];
  readonly #mixer = new Mixer();
  readonly #tracks: readonly Track[];
  readonly #marks: Mark[] = [];

  private constructor(setting: RecordingSetting, studio: Studio, tracks: readonly Track[]) {
    this.#setting = setting;
    this.#studio = studio;
    this.#timeline = new Timeline(setting.inputs.map((memory) => new RingReader(memory)));
    this.#inputs = setting.inputs.map(() => new Int16Array(FRAME_SAMPLES));
    this.#tracks = tracks;
  }

  static async open(setting: RecordingSetting, studio: Studio): Promise<Result<Recording, RecorderFault>> {
    const { file, layout, inputs } = setting;
    if (!isPlainName(file)) {
      return fail(
        'Refused',
        `${file} is no file name below the recordings: letters, digits, - _ . + @ and /.`,
      );
    }
    const mapped = mapChannels(file, layout, inputs.length);
    if (!mapped.ok) return fail('Refused', mapped.error.reason);
    const tracks: Track[] = [];
    for (const each of mapped.value) {
      const track = await openTrack(each, setting, studio);
      if (track.ok) tracks.push(track.value);
      else {
        for (const opened of tracks) await drop(opened, studio.folder);
        return track;
      }
    }
    return ok(new Recording(setting, studio, tracks));
  }

  /** Takes what has come. @throws DiskSlow */
  pump(ending = false): void {
    while (this.#timeline.next(this.#inputs, ending)) {
      for (const { mapped, sound, frames } of this.#tracks) {
        for (const [channel, inputs] of mapped.channels.entries()) this.#mix(inputs, frames[channel]);
        sound.push(frames);
      }
    }
  }

  async flush(sync: boolean): Promise<void> {
    const { samples } = this.#timeline;
    await Promise.all(this.#tracks.map(({ sound }) => sound.flush(samples, sync)));
  }

  pause(): void {
    this.pump();
    this.#timeline.pause();
  }

  resume(): void {
    this.pump();
    this.#timeline.resume();
  }

  mark(label: string): Mark {
    this.pump();
    const mark = { label, atMs: this.#timeline.lengthMs };
    this.#marks.push(mark);
    return mark;
  }

  async stop(): Promise<RecordingResult> {
    this.pump(true);
    for (const { sound } of this.#tracks) await sound.complete(this.#timeline.samples);
    const files: RecordedFile[] = [];
    for (const track of this.#tracks) files.push(await finishedFile(track));
    return this.#result(files, this.#timeline.lengthMs);
  }

  /** After the disk refused: whatever is there becomes the recording. */
  async salvage(): Promise<RecordingResult> {
    const files: RecordedFile[] = [];
    let durationMs = 0;
    for (const track of this.#tracks) {
      const { mapped, sound } = track;
      await sound.release();
      if (sound.finished) {
        files.push(await finishedFile(track));
        durationMs = this.#timeline.lengthMs;
        continue;
      }
      const completed = await completePart(this.#studio.folder, mapped.file);
      files.push(completed.file);
      durationMs = Math.max(durationMs, completed.durationMs);
    }
    return this.#result(files, durationMs);
  }

  /** As if it had never been. */
  async cancel(): Promise<void> {
    for (const track of this.#tracks) await drop(track, this.#studio.folder);
  }

  #mix(inputs: readonly number[], out: Int16Array | undefined): void {
    if (out === undefined) return;
    const frames = inputs.flatMap((input) => this.#inputs[input] ?? []);
    const [only] = frames;
    if (frames.length === 1 && only !== undefined) {
      out.set(only);
      return;
    }
    this.#mixer.begin();
    for (const frame of frames) this.#mixer.add(frame);
    this.#mixer.hear(null, out);
  }

  #result(files: readonly RecordedFile[], durationMs: number): RecordingResult {
    return {
      recording: this.#setting.recording,
      files,
      durationMs,
      degraded: this.#timeline.degraded,
      lostFrames: this.#timeline.lostFrames,
      marks: this.#marks,
    };
  }
}

async function openTrack(
  mapped: MappedFile,
  { samples = 'pcm16', overwrite = false }: RecordingSetting,
  { folder, mp3 }: Studio,
): Promise<Result<Track, RecorderFault>> {
  const path = join(folder, mapped.file);
  if (!overwrite && existsSync(path))
    return fail('Exists', `There is a recording ${mapped.file}; give this one another name.`);
  const count = mapped.channels.length;
  const coder: Coder =
    mapped.format === 'wav' ? wavCoder(samples, count) : await mp3.coder(count === 1 ? 1 : 2);
  try {
    const sound = await SoundFile.create(path, coder);
    return ok({ mapped, sound, frames: mapped.channels.map(() => new Int16Array(FRAME_SAMPLES)) });
  } catch (thrown) {
    coder.finish();
    if (codeOf(thrown) === 'EEXIST' && (thrown as NodeJS.ErrnoException).syscall === 'open')
      return fail('Exists', `${mapped.file} is being recorded already.`);
    return fail('Failed', `${mapped.file} could not be made: ${String(thrown)}`);
  }
}

async function finishedFile({ mapped, sound }: Track): Promise<RecordedFile> {
  const { file, format, channels } = mapped;
  return { file, format, channels: channels.length, ...(await digestOf(sound.path)) };
}

async function drop({ mapped, sound }: Track, folder: string): Promise<void> {
  await sound.release();
  await dropPart(folder, mapped.file);
}

export const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
