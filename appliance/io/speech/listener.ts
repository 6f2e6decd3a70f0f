import { Worker } from 'node:worker_threads';
import type { HearingId, SpeechEvent, SpeechListener } from '../../media/control/index.ts';
import { AskedThread } from '../thread/index.ts';
import type { HearingEvent, SpeechCommand, SpeechThreadSetting } from './speech-message.ts';

/** Nothing runs before the first utterance: the thread starts with it. */
export const openSpeech = (setting: SpeechThreadSetting): SpeechListener => new ThreadedSpeech(setting);

class ThreadedSpeech implements SpeechListener {
  readonly #running = new Map<HearingId, (event: SpeechEvent) => void>();
  readonly #thread: AskedThread<SpeechCommand, true, HearingEvent>;

  constructor(workerData: SpeechThreadSetting) {
    this.#thread = new AskedThread({
      start: () => new Worker(new URL('./speech-worker.ts', import.meta.url), { workerData, name: 'speech' }),
      event: ({ hearing, ...event }) => this.#told(hearing, event),
      died: (reason) => {
        for (const hearing of [...this.#running.keys()]) this.#failed(hearing, reason);
      },
    });
  }

  start(
    { hearing, input, wish }: Parameters<SpeechListener['start']>[0],
    onEvent: (event: SpeechEvent) => void,
  ): void {
    this.#running.set(hearing, onEvent);
    void this.#thread.ask({ kind: 'start', hearing, input, wish }).then((answer) => {
      if (answer === undefined) this.#failed(hearing, this.#thread.reason);
    });
  }

  stop(hearing: HearingId): void {
    if (!this.#running.delete(hearing)) return;
    void this.#thread.ask({ kind: 'stop', hearing });
  }

  close(): Promise<void> {
    return this.#thread.end({ kind: 'close' }, { terminate: true });
  }

  #failed(hearing: HearingId, reason: string): void {
    this.#told(hearing, {
      kind: 'ended',
      result: { reason: 'error', error: `the recognition of speech has ended: ${reason}` },
    });
  }

  #told(hearing: HearingId, event: SpeechEvent): void {
    const tell = this.#running.get(hearing);
    if (event.kind === 'ended') this.#running.delete(hearing);
    tell?.(event);
  }
}
