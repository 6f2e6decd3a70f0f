import type { IncomingMessage } from 'node:http';
import type { RawData, WebSocket } from 'ws';
import { fail, ok, type Result } from '#shared/result.ts';
import type { RecogniserSetting } from '#shared/setting/index.ts';
import { type Recognition, readRecognition } from '../../media/speech/index.ts';
import { targetOf } from '../stream/index.ts';
import {
  type LiveRecognition,
  LONGEST_ANSWER,
  type Recogniser,
  type RecognitionRequest,
  TOO_LONG,
} from './recogniser.ts';
import type { SpeechThreadSetting } from './speech-message.ts';

type WebSocketSetting = Extract<RecogniserSetting, { readonly kind: 'websocket' }>;

/** Chosen: 200 ms of audio in a message. */
const PIECE_SAMPLES = 1_600;
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
  const begin = (request: RecognitionRequest, onPartial: (text: string) => void): Result<LiveRecognition> => {
    const target = targetOf({ stream: id, url, headers, inputs: [] }, thread, thread.listeners);
    return target.ok ? ok(new SpokenToSocket(target.value.connect(), request, onPartial)) : target;
  };
  return {
    id,
    languages,
    answerMs: answerWithin * 1_000,
    begin,
    async recognise({ samples, ...request }, signal) {
      const live = begin(request, () => undefined);
      if (!live.ok) return live;
      live.value.push(samples);
      return await live.value.end(signal);
    },
  };
}

/** One utterance on one connection. Audio waits until it is open. */
class SpokenToSocket implements LiveRecognition {
  readonly #socket: WebSocket;
  readonly #answer = Promise.withResolvers<Result<Recognition>>();
  readonly #texts: Recognition[] = [];
  #waiting: (string | Buffer)[] = [];
  #unsent = new Int16Array(0);
  #size = 0;
  #isOver = false;

  constructor(socket: WebSocket, { language, hints }: RecognitionRequest, onPartial: (text: string) => void) {
    this.#socket = socket;
    this.#answer.promise.catch(() => undefined);
    const config = {
      sample_rate: SAMPLE_RATE,
      ...(language !== undefined && { language }),
      ...(hints.length > 0 && { phrase_list: hints }),
    };
    this.#send(JSON.stringify({ config }));
    const { resolve, reject } = this.#answer;
    socket.on('error', reject);
    socket.on('unexpected-response', (_, { statusCode = 0 }: IncomingMessage) =>
      reject(new Error(`it has answered ${statusCode} instead of 101`)),
    );
    socket.on('open', () => {
      for (const message of this.#waiting.splice(0)) socket.send(message);
    });
    socket.on('message', (data: RawData) => this.#onAnswer((data as Buffer).toString('utf8'), onPartial));
    socket.on('close', (code) =>
      resolve(
        this.#texts.length === 0
          ? fail('unreadable', `it has closed the connection without a text: ${code}`)
          : ok(joined(this.#texts)),
      ),
    );
  }

  /** In messages of 200 ms; the rest waits for the next samples or the end. */
  push(samples: Int16Array): void {
    const all = new Int16Array(this.#unsent.length + samples.length);
    all.set(this.#unsent);
    all.set(samples, this.#unsent.length);
    let at = 0;
    for (; at + PIECE_SAMPLES <= all.length; at += PIECE_SAMPLES)
      this.#send(bytesOf(all.subarray(at, at + PIECE_SAMPLES)));
    this.#unsent = all.slice(at);
  }

  async end(signal: AbortSignal): Promise<Result<Recognition>> {
    const stop = (): void => this.#answer.reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    if (this.#unsent.length > 0) this.#send(bytesOf(this.#unsent));
    this.#send(JSON.stringify({ eof: 1 }));
    this.#isOver = true;
    try {
      return await this.#answer.promise;
    } finally {
      signal.removeEventListener('abort', stop);
      this.cancel();
    }
  }

  cancel(): void {
    this.#socket.close(NORMAL);
    this.#socket.terminate();
  }

  #send(message: string | Buffer): void {
    const { readyState, OPEN, CONNECTING } = this.#socket;
    if (readyState === OPEN) this.#socket.send(message);
    else if (readyState === CONNECTING) this.#waiting.push(message);
  }

  #onAnswer(text: string, onPartial: (text: string) => void): void {
    const { resolve, reject } = this.#answer;
    this.#size += text.length;
    const said = this.#size > LONGEST_ANSWER ? undefined : partOf(text);
    if (this.#size > LONGEST_ANSWER) reject(new Error(TOO_LONG));
    else if (said === undefined) onPartial([joined(this.#texts).text, partialOf(text)].join(' ').trim());
    else if (!said.ok) resolve(said);
    else {
      this.#texts.push(said.value);
      const isLast = this.#isOver && this.#waiting.length === 0 && this.#socket.bufferedAmount === 0;
      if (isLast && said.value.text !== '') resolve(ok(joined(this.#texts)));
    }
  }
}

function bytesOf(samples: Int16Array): Buffer {
  const bytes = Buffer.alloc(samples.length * 2);
  for (const [index, sample] of samples.entries()) bytes.writeInt16LE(sample, 2 * index);
  return bytes;
}

/** The words so far, `{"partial"}`; empty where there are none. */
function partialOf(text: string): string {
  const { partial } = JSON.parse(text) as { readonly partial?: unknown };
  return typeof partial === 'string' ? partial : '';
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
