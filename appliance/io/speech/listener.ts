import { Worker } from 'node:worker_threads';
import type {
  HearingId,
  SpeechEvent,
  SpeechListener,
  TranscriptEvent,
  TranscriptId,
} from '../../media/control/index.ts';
import { AskedThread } from '../thread/index.ts';
import type { HearingEvent, ScriptEvent, SpeechCommand, SpeechThreadSetting } from './speech-message.ts';

/** Nothing runs before the first utterance: the thread starts with it. */
export const openSpeech = (setting: SpeechThreadSetting): SpeechListener => new ThreadedSpeech(setting);

class ThreadedSpeech implements SpeechListener {
  readonly transcribes: boolean;
  readonly #running = new Map<HearingId, (event: SpeechEvent) => void>();
  readonly #transcripts = new Map<TranscriptId, (event: TranscriptEvent) => void>();
  readonly #thread: AskedThread<SpeechCommand, true, HearingEvent | ScriptEvent>;

  constructor(workerData: SpeechThreadSetting) {
    this.transcribes = workerData.recognisers.some(({ transcribes }) => transcribes === true);
    this.#thread = new AskedThread({
      start: () => new Worker(new URL('./speech-worker.ts', import.meta.url), { workerData, name: 'speech' }),
      event: (message) => {
        if ('hearing' in message) {
          const { hearing, ...event } = message;
          this.#onEvent(hearing, event);
        } else {
          const { transcript, ...event } = message;
          this.#written(transcript, event);
        }
      },
      died: (reason) => {
        for (const hearing of [...this.#running.keys()]) this.#failed(hearing, reason);
        for (const transcript of [...this.#transcripts.keys()]) this.#lost(transcript, reason);
      },
    });
  }

  start(
    { hearing, input, request }: Parameters<SpeechListener['start']>[0],
    onEvent: (event: SpeechEvent) => void,
  ): void {
    this.#running.set(hearing, onEvent);
    void this.#thread.ask({ kind: 'start', hearing, input, request }).then((answer) => {
      if (answer === undefined) this.#failed(hearing, this.#thread.reason);
    });
  }

  stop(hearing: HearingId): void {
    if (!this.#running.delete(hearing)) return;
    void this.#thread.ask({ kind: 'stop', hearing });
  }

  transcribe(
    { transcript, inputs }: Parameters<SpeechListener['transcribe']>[0],
    onEvent: (event: TranscriptEvent) => void,
  ): void {
    this.#transcripts.set(transcript, onEvent);
    void this.#thread.ask({ kind: 'transcribe', transcript, inputs }).then((answer) => {
      if (answer === undefined) this.#lost(transcript, this.#thread.reason);
    });
  }

  finish(transcript: TranscriptId): void {
    if (!this.#transcripts.has(transcript)) return;
    void this.#thread.ask({ kind: 'finish', transcript }).then((answer) => {
      if (answer === undefined) this.#lost(transcript, this.#thread.reason);
    });
  }

  drop(transcript: TranscriptId): void {
    if (this.#transcripts.delete(transcript)) void this.#thread.ask({ kind: 'drop', transcript });
  }

  close(): Promise<void> {
    return this.#thread.end({ kind: 'close' }, { terminate: true });
  }

  #failed(hearing: HearingId, reason: string): void {
    this.#onEvent(hearing, {
      kind: 'ended',
      result: { reason: 'error', error: `the recognition of speech has ended: ${reason}` },
    });
  }

  #onEvent(hearing: HearingId, event: SpeechEvent): void {
    const tell = this.#running.get(hearing);
    if (event.kind === 'ended') this.#running.delete(hearing);
    tell?.(event);
  }

  /** One event stands for all channels: the thread was that of all of them. */
  #lost(transcript: TranscriptId, reason: string): void {
    const error = `the recognition of speech has ended: ${reason}`;
    this.#written(transcript, { kind: 'missed', channel: 0, error });
    this.#written(transcript, { kind: 'ended' });
  }

  #written(transcript: TranscriptId, event: TranscriptEvent): void {
    const tell = this.#transcripts.get(transcript);
    if (event.kind === 'ended') this.#transcripts.delete(transcript);
    tell?.(event);
  }
}
