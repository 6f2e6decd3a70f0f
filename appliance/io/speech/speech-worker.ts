import { parentPort, workerData } from 'node:worker_threads';
import { FRAME_SAMPLES, RingReader } from '../../media/audio/index.ts';
import type { HearingId } from '../../media/control/index.ts';
import { Utterance } from '../../media/speech/index.ts';
import { RecognitionOrder } from './recognition-order.ts';
import type { HearingEvent, SpeechCommand, SpeechReport, SpeechThreadSetting } from './speech-message.ts';

/** Entry of the thread of speech: every 20 ms it looks what the rings hold, while it listens at all. */
const LOOK_MS = 20;

const port = parentPort;
if (port === null) throw new Error('speech-worker.ts runs as a worker thread only');
const recognition = new RecognitionOrder(workerData as SpeechThreadSetting);
const report = (message: SpeechReport): void => port.postMessage(message);
const tell = (event: HearingEvent): void => report({ kind: 'event', event });

type Start = Extract<SpeechCommand, { readonly kind: 'start' }>;
interface Listening extends Start {
  readonly utterance: Utterance;
  readonly reader: RingReader;
  readonly stop: AbortController;
}

const running = new Map<HearingId, Listening>();
const frame = new Int16Array(FRAME_SAMPLES);
let beat: NodeJS.Timeout | undefined;

function start(command: Start): void {
  const { hearing, input, wish } = command;
  const utterance = new Utterance(wish);
  running.set(hearing, { ...command, utterance, reader: new RingReader(input), stop: new AbortController() });
  beat ??= setInterval(() => {
    for (const each of running.values()) listen(each);
  }, LOOK_MS);
}

function listen({ hearing, utterance, reader, wish, stop }: Listening): void {
  while (reader.read(frame) !== undefined) {
    const news = utterance.push(frame);
    if (news?.kind === 'started') tell({ hearing, kind: 'started' });
    if (news?.kind !== 'ended') continue;
    const { samples, durationMs: duration } = news;
    const { language, hints } = wish;
    void recognition.recognise({ samples, language, hints }, wish, stop.signal).then((result) => {
      if (running.has(hearing)) tell({ hearing, kind: 'ended', result: { ...result, duration } });
      forget(hearing);
    });
  }
}

function forget(hearing: HearingId): void {
  running.get(hearing)?.stop.abort(new Error('the result is not wanted any more'));
  running.delete(hearing);
  if (running.size > 0) return;
  clearInterval(beat);
  beat = undefined;
}

port.on('message', ({ id, command }: { readonly id: number; readonly command: SpeechCommand }) => {
  if (command.kind === 'start') start(command);
  else if (command.kind === 'stop') forget(command.hearing);
  else {
    for (const hearing of [...running.keys()]) forget(hearing);
    port.close();
  }
  report({ kind: 'answer', id, answer: true });
});
report({ kind: 'ready' });
