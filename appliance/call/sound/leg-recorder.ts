import { uuid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { MediaEvent } from '../../media/control/index.ts';
import {
  isPlainName,
  mapChannels,
  type RecordedFile,
  type RecorderEvent,
  type RecorderFault,
  type RecordingId,
  type RecordingResult,
  type ShelvedFile,
  type ShelvedRecording,
} from '../../media/recording/index.ts';
import type { LegTranscripts, LiveTranscript, TranscriptHandle } from './leg-hearing.ts';
import { LegTap } from './leg-tap.ts';
import type { RecordingState } from './locate-file.ts';
import type { SoundDependencies } from './port.ts';
import type { EndedRecording, LiveRecording, RecordRequest } from './sound.ts';

interface Running {
  /** The recorder knows it. */
  begun: Promise<void>;
  readonly tap: LegTap;
  readonly transcript: TranscriptHandle | undefined;
  readonly request: RecordRequest;
  entry: ShelvedRecording;
  /** Why it ends before it was stopped. */
  ending: string | undefined;
  /** Nothing more is added to it. */
  stopping: boolean;
  /** Its files are complete, or there are none. */
  readonly done: PromiseWithResolvers<void>;
}

export interface LegRecorderDependencies extends SoundDependencies {
  readonly transcripts: LegTranscripts;
  /** Reports the end; the entry is on the store with its end. */
  readonly ended: (entry: ShelvedRecording) => Promise<void>;
  /** It has its end, once for each. */
  readonly closed: (entry: ShelvedRecording) => void;
}

/** Why a recording that cannot begin fails, by the recorder's code. */
const REASONS: Readonly<Record<RecorderFault['code'], string>> = {
  DiskPressure: 'diskPressure',
  Exists: 'exists',
  Refused: 'refused',
  Failed: 'diskFailed',
  Unknown: 'failed',
  Lost: 'interrupted',
};

/**
 * Recordings of legs.
 *
 *   record ─▶ tap at once (rings hold 2 s) ─▶ store: it runs ─▶ recorder.start
 *   stop, lost, shed ─▶ untap ─▶ recorder.stop ─┐
 *   failed (disk) ──────────────────────────────┼─▶ store: it ended ─▶ reported, onEnded
 *   recorder's thread died: interrupted ────────┘
 *   at start: an entry that runs, and what the recorder made of its files ─▶ ended: recordingFailed, interrupted
 */
export class LegRecorder {
  readonly #dependencies: LegRecorderDependencies;
  readonly #running = new Map<RecordingId, Running>();

  constructor(dependencies: LegRecorderDependencies) {
    this.#dependencies = dependencies;
  }

  get size(): number {
    return this.#running.size;
  }

  /** The words of recordings that run. */
  get transcripts(): readonly { readonly entry: ShelvedRecording; readonly live: LiveTranscript }[] {
    return [...this.#running.values()].flatMap(({ entry, transcript }) =>
      transcript === undefined ? [] : [{ entry, live: transcript.live() }],
    );
  }

  /** The recording that makes a file of this name. */
  stateOf(fileName: string): RecordingState {
    for (const { entry, stopping, done } of this.#running.values())
      if (entry.expected.includes(fileName)) return stopping ? { done: done.promise } : 'running';
    return undefined;
  }

  record(request: RecordRequest): Result<LiveRecording> {
    const { fileName, channels, layout = channels.length === 2 ? 'perSide' : 'mixed', of = 'said' } = request;
    if (!isPlainName(fileName)) {
      return fail('Refused', `${fileName} is no file name: letters, digits, spaces, - _ . + @ and /.`);
    }
    const mapped = mapChannels(fileName, layout, channels.length);
    if (!mapped.ok) return fail('Refused', mapped.error.reason);
    const { random, clock, run } = this.#dependencies;
    const { recordingId = uuid(random(16)) } = request;
    const tap = new LegTap(this.#dependencies, `recording ${recordingId}`, channels, of);
    const entry: ShelvedRecording = {
      recordingId,
      fileName,
      expected: mapped.value.map(({ file }) => file),
      report: request.report,
      startedAtMs: clock.wallMs(),
      durationMs: 0,
      degraded: false,
      marks: [],
      files: [],
      deliveries: [],
      reported: false,
      uploaded: false,
      ...(request.overwrite === true && { replaces: true }),
      ...(request.speakers !== undefined && { speakers: request.speakers }),
    };
    const transcript = this.#dependencies.transcripts.begin(channels);
    const running: Running = {
      begun: Promise.resolve(),
      tap,
      transcript,
      request,
      entry,
      ending: undefined,
      stopping: false,
      done: Promise.withResolvers<void>(),
    };
    this.#running.set(recordingId, running);
    tap.begin();
    running.begun = this.#begin(running, layout);
    run(running.begun);
    const then = (work: () => Promise<unknown>): void => this.#then(running, work);
    const { recorder } = this.#dependencies;
    return ok({
      recordingId,
      isTranscribed: transcript !== undefined,
      pause: () => {
        transcript?.pause(true);
        then(() => recorder.pause(recordingId));
      },
      resume: () => {
        transcript?.pause(false);
        then(() => recorder.resume(recordingId));
      },
      mark: (label) => then(() => recorder.mark(recordingId, label)),
      change: (others) => {
        tap.change(others);
        transcript?.change(others);
      },
      stop: () => {
        running.stopping = true;
        then(() => this.#stop(recordingId));
      },
      cancel: () => {
        running.stopping = true;
        then(() => this.#cancel(recordingId));
      },
    });
  }

  /** From the recorder's thread. */
  onRecorderEvent(event: RecorderEvent): void {
    if (event.kind === 'failed') {
      this.#dependencies.run(this.#ended(event.recording, event.reason, event.result));
    } else if (event.kind === 'interrupted') {
      // Without a name it is of an earlier life: `restore` finds its file.
      if (event.recording !== undefined)
        this.#dependencies.run(this.#interrupted(event.recording, event.file, event.durationMs));
    }
  }

  onMediaEvent(event: MediaEvent): void {
    if (event.kind !== 'lost') return;
    for (const [id, { tap }] of this.#running) if (tap.hears(event.legs)) this.endAll('mediaServerError', id);
  }

  /** Completes what runs, as failed for this reason. */
  endAll(reason: string, only?: RecordingId): void {
    for (const [id, running] of this.#running) {
      if (only !== undefined && id !== only) continue;
      running.ending ??= reason;
      running.stopping = true;
      this.#then(running, () => this.#stop(id));
    }
  }

  /** Commands follow the beginning in order: the recorder does not know a recording before. */
  #then({ begun }: Running, work: () => Promise<unknown>): void {
    this.#dependencies.run(begun.then(work));
  }

  /** Recordings of the previous run: each that still ran is reported as interrupted, however much of it there is. */
  async restore(): Promise<void> {
    const { recorder, recordingStore } = this.#dependencies;
    await recorder.begin();
    for (const entry of await recordingStore.all()) {
      if (entry.event !== undefined) {
        if (!entry.reported) await this.#dependencies.ended(entry);
        continue;
      }
      if (this.#running.has(entry.recordingId)) continue;
      const files: ShelvedFile[] = [];
      for (const name of entry.expected) files.push(...[(await recordingStore.look(name)) ?? []].flat());
      await this.#close({ ...entry, event: 'recordingFailed', reason: 'interrupted', files });
    }
  }

  async #begin(
    { entry, tap, request }: Running,
    layout: NonNullable<RecordRequest['layout']>,
  ): Promise<void> {
    const { recordingId, fileName } = entry;
    await this.#dependencies.recordingStore.put(entry);
    if (entry.expected.some((name) => this.#isPrompt(name))) return await this.#ended(recordingId, 'exists');
    const started = await this.#dependencies.recorder.start({
      recording: recordingId,
      file: fileName,
      inputs: tap.rings,
      layout: request.layout ?? layout,
      ...(request.overwrite === true && { overwrite: true }),
    });
    if (!started.ok) await this.#ended(recordingId, REASONS[started.error.code]);
  }

  async #stop(id: RecordingId): Promise<void> {
    const running = this.#running.get(id);
    if (running === undefined) return;
    await running.tap.end();
    const stopped = await this.#dependencies.recorder.stop(id);
    // Lost: the next thread completes the file and reports it; Unknown: it failed meanwhile, and that was reported.
    if (stopped.ok) await this.#ended(id, running.ending, stopped.value);
    else if (stopped.error.code === 'Failed') await this.#ended(id, 'diskFailed');
  }

  async #cancel(id: RecordingId): Promise<void> {
    const running = this.#running.get(id);
    if (running === undefined) return;
    this.#running.delete(id);
    running.transcript?.drop();
    await running.tap.end();
    await this.#dependencies.recorder.cancel(id);
    await this.#dependencies.recordingStore.remove(running.entry);
    running.done.resolve();
  }

  async #interrupted(id: RecordingId, file: RecordedFile, durationMs: number): Promise<void> {
    const marks = this.#running.get(id)?.entry.marks ?? [];
    await this.#ended(id, 'interrupted', {
      recording: id,
      files: [file],
      durationMs,
      degraded: true,
      lostFrames: 0,
      marks,
    });
  }

  /** @param reason undefined: all went well */
  async #ended(id: RecordingId, reason: string | undefined, result?: RecordingResult): Promise<void> {
    const running = this.#running.get(id);
    if (running === undefined) return;
    this.#running.delete(id);
    running.done.resolve();
    await running.tap.end();
    if (running.request.overwrite === true && result !== undefined)
      await this.#replace({ ...running.entry, files: result.files.map(shelved) });
    const whole: ShelvedRecording = {
      ...running.entry,
      endedAtMs: this.#dependencies.clock.wallMs(),
      event: reason === undefined ? 'recordingSuccessful' : 'recordingFailed',
      ...(reason !== undefined && { reason }),
      ...(result !== undefined && {
        files: result.files.map(shelved),
        durationMs: result.durationMs,
        degraded: result.degraded,
        marks: result.marks,
      }),
    };
    const entry = await this.#close(await this.#withWords(whole, running.transcript));
    this.#dependencies.turn(() => running.request.onEnded?.(endedOf(entry)));
  }

  /** The recording is on the disk as one that has ended while its last words are still recognised. */
  async #withWords(entry: ShelvedRecording, words: TranscriptHandle | undefined): Promise<ShelvedRecording> {
    if (words === undefined) return entry;
    await this.#dependencies.recordingStore.put(entry);
    return { ...entry, transcript: await words.end() };
  }

  /** The name of an uploaded prompt file is not free: the control plane has it. */
  #isPrompt(fileName: string): boolean {
    const { pathOf, recordingStore } = this.#dependencies;
    const path = pathOf(fileName);
    return path !== undefined && path !== recordingStore.pathOf(fileName);
  }

  /** Files that gave way to those of this recording are no longer those of an earlier one. */
  async #replace({ recordingId, files }: ShelvedRecording): Promise<void> {
    const { recordingStore } = this.#dependencies;
    const taken = new Set(files.map(({ fileName }) => fileName));
    for (const other of await recordingStore.all()) {
      if (other.recordingId === recordingId || !other.files.some(({ fileName }) => taken.has(fileName)))
        continue;
      const left = { ...other, files: other.files.filter(({ fileName }) => !taken.has(fileName)) };
      if (left.files.length === 0) await recordingStore.remove(left);
      else await recordingStore.put(left);
    }
  }

  async #close(entry: ShelvedRecording): Promise<ShelvedRecording> {
    await this.#dependencies.recordingStore.put(entry);
    this.#dependencies.closed(entry);
    await this.#dependencies.ended(entry);
    return entry;
  }
}

const shelved = ({ file, sizeBytes, sha256, sha512 }: RecordedFile): ShelvedFile => ({
  fileName: file,
  sizeBytes,
  sha256,
  sha512: Buffer.from(sha512).toString('hex'),
});

const endedOf = ({
  recordingId,
  event,
  reason,
  files,
  durationMs,
  degraded,
  transcript,
}: ShelvedRecording): EndedRecording => ({
  recordingId,
  event: event ?? 'recordingFailed',
  ...(reason !== undefined && { reason }),
  files,
  durationMs,
  degraded,
  ...(transcript !== undefined && { transcript }),
});
