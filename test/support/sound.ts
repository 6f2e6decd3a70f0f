import { join } from 'node:path';
import type { SoundAdapters } from '#appliance/call/sound/index.ts';
import { createPrompts, type PromptSetting } from '#appliance/io/prompt/index.ts';
import { createRecorder, openRecordingStore } from '#appliance/io/recorder/index.ts';
import { openSpeech } from '#appliance/io/speech/index.ts';
import { openStreamer } from '#appliance/io/stream/index.ts';
import type { RingMemory } from '#appliance/media/audio/index.ts';
import type { SpeechListener, StreamEvent } from '#appliance/media/control/index.ts';
import type { Recorder, RecorderEvent } from '#appliance/media/recording/index.ts';
import { fail } from '#shared/result.ts';
import type { RecogniserSetting } from '#shared/setting/index.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';

export interface TestSoundOptions {
  readonly folder: string;
  readonly prompts?: PromptSetting;
  readonly leastFreeBytes?: number;
  readonly allowPrivate?: readonly string[];
  /** Recognisers of speech; without it there are none. */
  readonly recognisers?: readonly RecogniserSetting[];
}

/** The control plane as a host sees it: the revision in force at the host, and the answer to a question for a file. */
interface ControlPlane {
  revision: number;
  fetching: NonNullable<SoundAdapters['fetchFile']>;
  /** The answer of the other hosts, and of the control plane, to a question for a recording. */
  borrowing: NonNullable<SoundAdapters['borrow']>;
}

/** The real threads behind sound, on a folder of the test; prompt files are those below `prompt`. */
export function testSound({
  folder,
  prompts: setting,
  leastFreeBytes = 0,
  allowPrivate = [],
  recognisers,
}: TestSoundOptions) {
  const recordings = join(folder, 'recording');
  const events: RecorderEvent[] = [];
  const rings: RingMemory[] = [];
  const transcripts = new Map<string, readonly RingMemory[]>();
  let toRecorder: (event: RecorderEvent) => void = () => undefined;
  let toStream: (event: StreamEvent) => void = () => undefined;
  const thread = createRecorder({
    folder: recordings,
    leastFreeBytes,
    onEvent: (event) => {
      events.push(event);
      toRecorder(event);
    },
  });
  const recorder: Recorder = {
    begin: () => thread.begin(),
    start(started) {
      rings.push(...started.inputs);
      return thread.start(started);
    },
    pause: (id) => thread.pause(id),
    resume: (id) => thread.resume(id),
    mark: (id, label) => thread.mark(id, label),
    stop: (id) => thread.stop(id),
    cancel: (id) => thread.cancel(id),
    store: (setting) => thread.store(setting),
    close: () => thread.close(),
    crash: () => thread.crash(),
  };
  const prompts = createPrompts({ voices: { espeak: null }, ...setting });
  const streamer = openStreamer({ allowPrivate, onEvent: (event) => toStream(event) });
  const listener = recognisers && openSpeech({ recognisers, allowPrivate, extraCas: [], listeners: [] });
  const speech: SpeechListener | undefined = listener && {
    transcribes: listener.transcribes,
    start: (setting, onEvent) => listener.start(setting, onEvent),
    stop: (hearing) => listener.stop(hearing),
    transcribe(setting, onEvent) {
      transcripts.set(setting.transcript, setting.inputs);
      listener.transcribe(setting, onEvent);
    },
    finish(transcript) {
      transcripts.delete(transcript);
      listener.finish(transcript);
    },
    drop(transcript) {
      transcripts.delete(transcript);
      listener.drop(transcript);
    },
    close: () => listener.close(),
  };
  const files = new Map<string, string>();
  const recordingStore = openRecordingStore(recordings);
  const stand: ControlPlane = {
    revision: 0,
    fetching: async (name) => fail('NotFound', `There is no prompt file ${name}; upload it first.`),
    borrowing: async (name) => fail('NotFound', `There is no prompt file ${name}; upload it first.`),
  };
  const adapters: SoundAdapters = {
    prompts,
    recorder,
    streamer,
    speech,
    recordingStore,
    keptDays: 30,
    bucketOf: (bucket) => join(folder, 'object', bucket),
    pathOf: (name, revision = 0) =>
      revision > stand.revision ? undefined : (files.get(name) ?? recordingStore.pathOf(name)),
    fetchFile: (name, signal) => stand.fetching(name, signal),
    borrow: (name, from, signal) => stand.borrowing(name, from, signal),
    listen(to) {
      toRecorder = to.recorder;
      toStream = to.stream;
    },
  };
  return {
    adapters,
    /** The control plane may be changed at any time. */
    controlPlane: stand,
    recordings,
    events,
    /** As if the recorder's thread had reported it. */
    tell: (event: RecorderEvent) => toRecorder(event),
    /** Prompt files by name. */
    files,
    /** The threads have read what their rings held, or read no more: the fake clock may run on. */
    caughtUp: () =>
      until(
        () =>
          events.some(({ kind }) => kind === 'failed') ||
          [...rings, ...[...transcripts.values()].flat()].every(({ indices }) => {
            const [written, read] = new Int32Array(indices);
            return (written ?? 0) - (read ?? 0) <= 25;
          }),
      ),
    async close(): Promise<void> {
      await Promise.all([prompts.close(), recorder.close(), streamer.close(), speech?.close()]);
    },
  };
}

export type TestSound = ReturnType<typeof testSound>;
