import type { Result } from '#shared/result.ts';
import type { PreparedPrompt } from '../control/index.ts';
import type { PromptFault, PromptSource } from './source.ts';
import type { Voice } from './voice-choice.ts';

/** A prompt ready to play, and what the trace tells about it. */
export interface Prepared {
  readonly prompt: PreparedPrompt;
  /** It was in memory: nothing was fetched, decoded or spoken. */
  readonly cacheHit: boolean;
  /** The server could not be asked whether the copy is still good; it is still played (RFC 9111 4.2.4). */
  readonly stale?: true;
  /** For a text that was spoken now: the voice, and ms to the first sound. */
  readonly spoken?: { readonly engine: string; readonly voice: string; readonly firstSoundMs: number };
}

/** Sources of sound made ready to play, by a thread of their own; what was prepared stays in memory while there is room. */
export interface Prompts {
  /** Never throws. The signal gives up this one caller; others who want the same go on. */
  prepare(source: PromptSource, signal: AbortSignal): Promise<Result<Prepared, PromptFault>>;
  /** The voices of this host. */
  voices(): Promise<readonly (Voice & { readonly engine: string })[]>;
  /** Bytes of prompts in memory. */
  readonly cachedBytes: number;
  close(): Promise<void>;
  /** Ends the thread without a word, as a crash of it would; for tests of the failure. */
  crash(): Promise<void>;
}
