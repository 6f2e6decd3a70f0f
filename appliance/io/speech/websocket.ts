import type { IncomingMessage } from 'node:http';
import type { RawData, WebSocket } from 'ws';
import { fail, ok, type Result } from '#shared/result.ts';
import type { RecogniserSetting } from '#shared/setting/index.ts';
import { type Recognition, readRecognition } from '../../media/speech/index.ts';
import { targetOf } from '../stream/index.ts';
import { LONGEST_ANSWER, type Recogniser, type SpokenAudio, TOO_LONG } from './recogniser.ts';
import type { SpeechThreadSetting } from './speech-message.ts';

type WebSocketSetting = Extract<RecogniserSetting, { readonly kind: 'websocket' }>;

/** Chosen: 200 ms of audio in a message. */
const PIECE_BYTES = 3_200;
const SAMPLE_RATE = 8_000;
const NORMAL = 1_000;

/**
 * A recogniser of the Vosk protocol:
 *
 *   ─▶ {"config": {"sample_rate": 8000, "language", "phrase_list"}} ─▶ samples (16-bit little-endian) … ─▶ {"eof": 1}
 *   ◀─ {"partial"} … ◀─ {"text", "result", "alternatives"} …
 *
 * Texts before the last one are parts of the same utterance. It has answered when it closes, or with the first text after `eof`.
 */
export function webSocketRecogniser(setting: WebSocketSetting, thread: SpeechThreadSetting): Recogniser {
  const { id, languages, answerWithin, url, headers } = setting;
  return {
    id,
    languages,
    answerMs: answerWithin * 1_000,
    async recognise(audio, signal) {
      const target = targetOf({ stream: id, url, headers, inputs: [] }, thread, thread.listeners);
      if (!target.ok) return target;
      return await asked(target.value.connect(), audio, signal);
    },
  };
}

async function asked(
  socket: WebSocket,
  audio: SpokenAudio,
  signal: AbortSignal,
): Promise<Result<Recognition>> {
  const { promise, resolve, reject } = Promise.withResolvers<Result<Recognition>>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const texts: Recognition[] = [];
  let [size, sent] = [0, false];
  socket.on('error', reject);
  socket.on('unexpected-response', (_, { statusCode = 0 }: IncomingMessage) =>
    reject(new Error(`it has answered ${statusCode} instead of 101`)),
  );
  socket.on('open', () => {
    send(socket, audio);
    sent = true;
  });
  socket.on('message', (data: RawData) => {
    const text = (data as Buffer).toString('utf8');
    size += text.length;
    if (size > LONGEST_ANSWER) return reject(new Error(TOO_LONG));
    const said = partOf(text);
    if (said === undefined) return;
    if (!said.ok) return resolve(said);
    texts.push(said.value);
    if (sent && socket.bufferedAmount === 0 && said.value.text !== '') resolve(ok(joined(texts)));
  });
  socket.on('close', (code) =>
    texts.length === 0
      ? resolve(fail('unreadable', `it has closed the connection without a text: ${code}`))
      : resolve(ok(joined(texts))),
  );
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', stop);
    socket.close(NORMAL);
    socket.terminate();
  }
}

function send(socket: WebSocket, { samples, language, hints }: SpokenAudio): void {
  const config = {
    sample_rate: SAMPLE_RATE,
    ...(language !== undefined && { language }),
    ...(hints.length > 0 && { phrase_list: hints }),
  };
  socket.send(JSON.stringify({ config }));
  const bytes = Buffer.alloc(samples.length * 2);
  for (let i = 0; i < samples.length; i++) bytes.writeInt16LE(samples[i] ?? 0, 2 * i);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) socket.send(bytes.subarray(at, at + PIECE_BYTES));
  socket.send(JSON.stringify({ eof: 1 }));
}

/** Undefined: it goes on. */
function partOf(text: string): Result<Recognition> | undefined {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return fail('unreadable', `its answer is no JSON: ${JSON.stringify(text.slice(0, 80))}`);
  }
  const isPartial =
    typeof said === 'object' && said !== null && !('text' in said) && !('alternatives' in said);
  return isPartial ? undefined : readRecognition(said);
}

function joined(texts: readonly Recognition[]): Recognition {
  const spoken = texts.filter(({ text }) => text !== '');
  const [only] = spoken;
  if (only === undefined) return { text: '', alternatives: [] };
  if (spoken.length === 1) return only;
  const known = spoken.flatMap(({ confidence }) => (confidence === undefined ? [] : [confidence]));
  const text = spoken.map((each) => each.text).join(' ');
  return { text, alternatives: [], ...(known.length > 0 && { confidence: Math.min(...known) }) };
}
