import { isIP } from 'node:net';
import { Agent } from 'undici';
import { type AddressPolicy, addressPolicy } from '#shared/matching/index.ts';
import type { RecogniserSetting } from '#shared/setting/index.ts';
import { writeWav } from '../../media/recording/index.ts';
import { ownAddresses, systemResolve } from '../egress/index.ts';
import { checkedConnector, portOf } from '../http/index.ts';
import { answerText } from './answer-text.ts';
import { LONGEST_ANSWER, type Recogniser, type SpokenAudio, TOO_LONG } from './recogniser.ts';
import type { SpeechThreadSetting } from './speech-message.ts';

type HttpSetting = Extract<RecogniserSetting, { readonly kind: 'http' }>;

/**
 * A service that takes a form with `file` (WAV), `language`, `prompt` (the hints) and the fields of its setting, as transcription
 * services do (`/v1/audio/transcriptions`), and answers JSON with `text`. Redirects are not followed.
 */
export function httpRecogniser(setting: HttpSetting, thread: SpeechThreadSetting): Recogniser {
  const { id, languages, answerWithin, headers } = setting;
  const url = new URL(setting.url);
  const policy = addressPolicy({
    allowPrivate: thread.allowPrivate,
    listeners: () => thread.listeners,
    ownAddresses,
  });
  const agent = new Agent({
    connect: checkedConnector(policy, systemResolve, thread.extraCas),
    // The time of the recogniser covers every phase.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    id,
    languages,
    answerMs: answerWithin * 1_000,
    async recognise(audio, signal) {
      allowed(url, policy);
      const form = new Response(formOf(audio, setting.fields));
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: {
          accept: 'application/json',
          ...headers,
          'content-type': form.headers.get('content-type') ?? 'multipart/form-data',
        },
        body: Buffer.from(await form.arrayBuffer()),
        signal,
      });
      const body = await collected(answer.body);
      if (answer.statusCode !== 200)
        throw new Error(`it has answered ${answer.statusCode} instead of a text`);
      return answerText(body);
    },
  };
}

function formOf({ samples, language, hints }: SpokenAudio, fields: HttpSetting['fields']): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (language !== undefined) form.set('language', language);
  if (hints.length > 0) form.set('prompt', hints.join(', '));
  form.set('file', new Blob([new Uint8Array(writeWav([samples]))], { type: 'audio/wav' }), 'speech.wav');
  return form;
}

/** The connector sees names alone: a literal address is judged here. */
function allowed(url: URL, policy: AddressPolicy): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const refusal = isIP(host) === 0 ? undefined : policy(host, portOf(url));
  if (refusal !== undefined) throw new Error(`it must not be called: ${refusal}`);
}

async function collected(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > LONGEST_ANSWER) throw new Error(TOO_LONG);
    parts.push(part);
  }
  return Buffer.concat(parts, size).toString('utf8');
}
