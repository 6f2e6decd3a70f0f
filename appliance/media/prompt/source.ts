/** The text to speak, and its voice. */
export interface Speech {
  readonly text: string;
  /** BCP 47, as `sv`, `en-GB`. */
  readonly lang: string;
  /** By the provider's own name; its usual one for the language when it is absent or unknown. */
  readonly voice?: string;
  /** Provider asked for; the first that has the language when it is absent or unknown. */
  readonly engine?: string;
  /** 1 is the usual speed. */
  readonly rate?: number;
  /** The text is SSML (W3C Speech Synthesis Markup Language 1.1). */
  readonly ssml?: boolean;
}

/** Where a prompt comes from. */
export type PromptSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string }
  /** Sound in hand; `name` stands in errors. Not kept: whoever has the bytes keeps the prompt. */
  | { readonly kind: 'bytes'; readonly name: string; readonly bytes: Uint8Array }
  | ({ readonly kind: 'tts' } & Speech);

/**
 * Why there is no prompt. `NotFound`: no such file or page. `Unreadable`: no sound that is read here. `TooLarge`: above
 * 50 MiB. `TooLong`: above 2 h. `Refused`: the address must not be called, or the text not be spoken. `Unreachable`: the
 * server could not be reached or answered an error. `Late`: nothing came in time (alarm `phraseRemoteCacheTimeout`).
 * `NoVoice`: no provider speaks the language. `Failed`: every provider failed, or the disk. `Stopped`: not wanted any more.
 * `Lost`: the prompt thread died; asking again starts another.
 */
export type PromptFaultCode =
  | 'NotFound'
  | 'Unreadable'
  | 'TooLarge'
  | 'TooLong'
  | 'Refused'
  | 'Unreachable'
  | 'Late'
  | 'NoVoice'
  | 'Failed'
  | 'Stopped'
  | 'Lost';

export interface PromptFault {
  readonly code: PromptFaultCode;
  /** One sentence for a person: what happened and what to do. */
  readonly reason: string;
}

/** Chosen: most bytes of a source as it comes, and most of what it says. */
export const MOST_BYTES = 50 * 1024 * 1024;
export const MOST_SECONDS = 2 * 60 * 60;

/** Name of a prompt in the cache; undefined: it is not kept. */
export function keyOf(source: PromptSource): string | undefined {
  switch (source.kind) {
    case 'file':
      return `file ${source.path}`;
    case 'url':
      return `url ${source.url}`;
    case 'bytes':
      return undefined;
    case 'tts': {
      const { text, lang, voice = '', engine = '', rate = 1, ssml = false } = source;
      return `tts ${JSON.stringify([text, voice, lang, engine, rate, ssml])}`;
    }
  }
}

/** How a source is called in an error. */
export function nameOf(source: PromptSource): string {
  switch (source.kind) {
    case 'file':
      return source.path;
    case 'url':
      return withoutSecrets(source.url);
    case 'bytes':
      return source.name;
    case 'tts':
      return `the text of ${source.text.length} characters in ${source.lang}`;
  }
}

/** User, password, query and fragment of an address may hold secrets. */
export function withoutSecrets(url: string): string {
  if (!URL.canParse(url)) return url.slice(0, 200);
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
