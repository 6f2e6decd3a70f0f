import { parentPort, workerData } from 'node:worker_threads';
import { fail, ok, type Result } from '#shared/result.ts';
import type { PreparedPrompt } from '../../media/control/index.ts';
import { type Freshness, nameOf, type PromptFault, type PromptSource } from '../../media/prompt/index.ts';
import {
  embeddedProvider,
  espeakProvider,
  execProvider,
  httpProvider,
  Speaker,
  type SpokenPiece,
  type TtsProvider,
} from '../tts/index.ts';
import { decodePrompt, warmDecoders } from './decode.ts';
import type { Loaded, PromptCommand, PromptReport, PromptThreadSetting } from './prompt-message.ts';
import { readPrompt } from './read-file.ts';
import { Web } from './web.ts';

/*
 * Entry of the prompt thread: sources become prompts here, several at a time, each in pieces. Work that blocks (decoding a
 * piece, a sentence of the embedded voice) blocks this thread only.
 */
const port = parentPort;
if (port === null) throw new Error('prompt-worker.ts runs as a worker thread only');
const { voices, ...webSetting } = workerData as PromptThreadSetting;
const report = (message: PromptReport): void => port.postMessage(message);

await warmDecoders();
const web = new Web(webSetting);
const running = new Map<number, AbortController>();
const speaker = new Speaker(await providers());

async function providers(): Promise<readonly TtsProvider[]> {
  const tools = { post: web.post.bind(web), decode: pieceOf };
  const espeak = voices.espeak === null ? undefined : await espeakProvider(voices.espeak);
  const embedded = voices.fliteWasm === null ? undefined : embeddedProvider(voices.fliteWasm);
  if (espeak === undefined) await embedded?.warm();
  return [
    ...(voices.http ?? []).map((setting) => httpProvider(setting, tools)),
    ...(voices.exec ?? []).map(execProvider),
    ...(espeak === undefined ? [] : [espeak]),
    ...(embedded === undefined ? [] : [embedded]),
  ];
}

/** A file that a speech service answered. */
async function* pieceOf(bytes: Uint8Array, name: string, signal: AbortSignal): AsyncIterable<SpokenPiece> {
  const decoded = await decodePrompt(bytes, `the answer of ${name}`, signal);
  if (!decoded.ok) throw new Error(decoded.error.reason);
  yield { samples: new Int16Array(decoded.value.pcm), sampleRate: 8_000 };
}

async function load(
  source: PromptSource,
  known: Freshness | undefined,
  signal: AbortSignal,
): Promise<Result<Loaded, PromptFault>> {
  switch (source.kind) {
    case 'file': {
      const bytes = await readPrompt(source.path);
      return bytes.ok ? loaded(await decodePrompt(bytes.value, source.path, signal)) : bytes;
    }
    case 'bytes':
      return loaded(await decodePrompt(source.bytes, source.name, signal));
    case 'url': {
      const fetched = await web.fetch(source.url, known, signal);
      if (!fetched.ok) return fetched;
      const { bytes, freshness } = fetched.value;
      if (bytes === undefined) return ok({ prompt: undefined, freshness });
      return loaded(await decodePrompt(bytes, nameOf(source), signal), { freshness });
    }
    case 'tts': {
      const spoken = await speaker.speak(source, signal);
      if (!spoken.ok) return spoken;
      const { prompt, ...about } = spoken.value;
      return ok({ prompt, spoken: about });
    }
  }
}

const loaded = (
  made: Result<PreparedPrompt, PromptFault>,
  about: Omit<Loaded, 'prompt'> = {},
): Result<Loaded, PromptFault> => (made.ok ? ok({ prompt: made.value, ...about }) : made);

async function run(command: Extract<PromptCommand, { kind: 'load' }>): Promise<void> {
  const { id, source, known } = command;
  const stop = new AbortController();
  running.set(id, stop);
  let result: Result<Loaded, PromptFault>;
  try {
    result = await load(source, known, stop.signal);
  } catch (thrown) {
    result = fail('Failed', `A prompt could not be made: ${String(thrown)}`);
  }
  running.delete(id);
  report({ kind: 'loaded', id, result });
}

port.on('message', (command: PromptCommand) => {
  switch (command.kind) {
    case 'load':
      void run(command);
      break;
    case 'stop':
      running.get(command.id)?.abort(new Error('stopped'));
      break;
    case 'close':
      for (const each of running.values()) each.abort(new Error('closed'));
      void web.close();
      port.close();
  }
});
report({ kind: 'ready', voices: speaker.voices });
