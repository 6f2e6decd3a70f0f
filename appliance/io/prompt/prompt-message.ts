import type { Result } from '#shared/result.ts';
import type { PreparedPrompt } from '../../media/control/index.ts';
import type { Freshness, PromptFault, PromptSource, Voice } from '../../media/prompt/index.ts';
import type { ExecSetting, HttpVoiceSetting } from '../tts/index.ts';
import type { WebSetting } from './web.ts';

/** The voices, in this order when a text names none: `http` and `exec` as listed, then espeak-ng, then the embedded voice. */
export interface VoiceSetting {
  readonly http?: readonly HttpVoiceSetting[];
  readonly exec?: readonly ExecSetting[];
  /** Name or path of espeak-ng; default `espeak-ng`, null: it is not used although installed. */
  readonly espeak?: string | null;
  /** Another build of flite than the one that came with the packages; null: it is not used. */
  readonly fliteWasm?: string | null;
}

/** The setting that the thread starts with. */
export interface PromptThreadSetting extends WebSetting {
  readonly voices: VoiceSetting;
}

export type PromptCommand =
  /** `known`: there is a copy in hand; the server is asked whether it is still good. */
  | {
      readonly kind: 'load';
      readonly id: number;
      readonly source: PromptSource;
      readonly known: Freshness | undefined;
    }
  | { readonly kind: 'stop'; readonly id: number }
  | { readonly kind: 'close' };

/** The result of loading a source. `prompt` undefined: the copy in hand is still good. */
export interface Loaded {
  readonly prompt: PreparedPrompt | undefined;
  /** The freshness of a page. */
  readonly freshness?: Freshness;
  /** The engine and voice that spoke a text, and how long the first sound took. */
  readonly spoken?: { readonly engine: string; readonly voice: string; readonly firstSoundMs: number };
}

export type PromptReport =
  | { readonly kind: 'ready'; readonly voices: readonly (Voice & { readonly engine: string })[] }
  | { readonly kind: 'loaded'; readonly id: number; readonly result: Result<Loaded, PromptFault> };
