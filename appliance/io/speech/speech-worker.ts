import { parentPort, workerData } from 'node:worker_threads';
import { FRAME_SAMPLES, RingReader } from '../../media/audio/index.ts';
import type { HearingId, TranscriptId } from '../../media/control/index.ts';
import { Utterance } from '../../media/speech/index.ts';
import { RecognitionOrder } from './recognition-order.ts';
import type {
  HearingEvent,
  ScriptEvent,
  SpeechCommand,
  SpeechReport,
  SpeechThreadSetting,
} from './speech-message.ts';
import { Transcription } from './transcription.ts';

/** Entry of the thread of speech: every 20 ms it looks what the rings hold, while it listens at all. */
const LOOK_MS = 20;

const port = parentPort;
if (port === null) throw new Error('speech-worker.ts runs as a worker thread only');
const recognition = new RecognitionOrder(workerData as SpeechThreadSetting);
const report = (message: SpeechReport): void => port.postMessage(message);
const tell = (event: HearingEvent | ScriptEvent): void => report({ kind: 'event', event });

type Start = Extract<SpeechCommand, { readonly kind: 'start' }>;
interface Listening extends Start {
  readonly utterance: Utterance;
  readonly reader: RingReader;
  readonly stop: AbortController;
}

const running = new Map<HearingId, Listening>();
const transcripts = new Map<TranscriptId, Transcription>();
const frame = new Int16Array(FRAME_SAMPLES);
let beat: NodeJS.Timeout | undefined;

function look(): void {
  for (const each of running.values()) listen(each);
  for (const each of transcripts.values()) each.look();
}

function start(command: Start): void {
  const { hearing, input, request } = command;
  const utterance = new Utterance(request);
  running.set(hearing, { ...command, utterance, reader: new RingReader(input), stop: new AbortController() });
  beat ??= setInterval(look, LOOK_MS);
}

function transcribe({ transcript, inputs }: Extract<SpeechCommand, { readonly kind: 'transcribe' }>): void {
  const transcription = new Transcription(inputs, recognition, (event) => tell({ transcript, ...event }));
  transcripts.set(transcript, transcription);
  beat ??= setInterval(look, LOOK_MS);
}

async function finish(transcript: TranscriptId): Promise<void> {
  await transcripts.get(transcript)?.finish();
  transcripts.delete(transcript);
  rest();
}

function drop(transcript: TranscriptId): void {
  transcripts.get(transcript)?.drop();
  transcripts.delete(transcript);
  rest();
}

function listen({ hearing, utterance, reader, request, stop }: Listening): void {
  while (reader.read(frame) !== undefined) {
    const event = utterance.push(frame);
    if (event?.kind === 'started') tell({ hearing, kind: 'started' });
    if (event?.kind !== 'ended') continue;
    const { samples, durationMs: duration } = event;
    const { language, hints } = request;
    void recognition.recognise({ samples, language, hints }, request, stop.signal).then((result) => {
      if (running.has(hearing)) tell({ hearing, kind: 'ended', result: { ...result, duration } });
      forget(hearing);
    });
  }
}

function forget(hearing: HearingId): void {
  running.get(hearing)?.stop.abort(new Error('the result is not wanted any more'));
  running.delete(hearing);
  rest();
}

/** With nothing to listen to no timer runs. */
function rest(): void {
  if (running.size > 0 || transcripts.size > 0) return;
  clearInterval(beat);
  beat = undefined;
}

function perform(command: SpeechCommand): void {
  if (command.kind === 'start') start(command);
  else if (command.kind === 'stop') forget(command.hearing);
  else if (command.kind === 'transcribe') transcribe(command);
  else if (command.kind === 'finish') void finish(command.transcript);
  else if (command.kind === 'drop') drop(command.transcript);
  else {
    for (const hearing of [...running.keys()]) forget(hearing);
    for (const transcript of [...transcripts.keys()]) drop(transcript);
    port?.close();
  }
}

port.on('message', ({ id, command }: { readonly id: number; readonly command: SpeechCommand }) => {
  perform(command);
  report({ kind: 'answer', id, answer: true });
});
report({ kind: 'ready' });
