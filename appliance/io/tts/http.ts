import type { Result } from '#shared/result.ts';
import type { PromptFault, Voice } from '../../media/prompt/index.ts';
import type { SpokenPiece, TtsProvider } from './provider.ts';
import { pcmPieces } from './wav-stream.ts';

/** A speech service on the network: any that answers one request with sound. */
export interface HttpVoiceSetting {
  readonly id: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Body of the POST; `{{text}}`, `{{lang}}`, `{{voice}}` and `{{rate}}` are replaced, as the inside of JSON strings.
   * Sent as `application/json` unless `headers` say otherwise.
   */
  readonly body: string;
  readonly voices: readonly Voice[];
  /** `file`: WAV, MP3 or OGG, recognised by its first bytes. `pcm`: bare 16-bit little-endian samples at the voice's `rate`. */
  readonly sound: 'file' | 'pcm';
  readonly readsSsml?: boolean;
}

/** The functions of its thread that it needs: the way out, which checks addresses, and the decoders. */
export interface HttpVoiceTools {
  post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<Result<Uint8Array, PromptFault>>;
  decode(bytes: Uint8Array, name: string, signal: AbortSignal): AsyncIterable<SpokenPiece>;
}

export function httpProvider(setting: HttpVoiceSetting, tools: HttpVoiceTools): TtsProvider {
  return {
    id: setting.id,
    voices: setting.voices,
    readsSsml: setting.readsSsml ?? false,
    async *speak({ text, voice, rate }, signal) {
      const filled = { text, lang: voice.lang, voice: voice.id, rate: String(rate) };
      const headers = { 'content-type': 'application/json', ...lowerCase(setting.headers ?? {}) };
      const answer = await tools.post(setting.url, headers, fill(setting.body, filled), signal);
      if (!answer.ok) throw new Error(answer.error.reason);
      yield* setting.sound === 'file'
        ? tools.decode(answer.value, setting.id, signal)
        : pcmPieces(once(answer.value), voice.rate);
    },
  };
}

const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : JSON.stringify(value).slice(1, -1);
  });

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
