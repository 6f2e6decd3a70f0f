import type { RingMemory } from '../audio/index.ts';
import type { LegId } from './leg.ts';

/**
 * A copy of received audio into rings, one per channel: for recordings and streams. Each leg's *received* audio goes to
 * its own channel; a whisper never lands on the channel of another leg.
 */
export interface TapSetting {
  /** Frames of 160 samples, 20 ms each, one frame per tick from the tap's first tick on; silence is written, never skipped. */
  readonly channels: readonly { readonly legs: readonly LegId[]; readonly ring: RingMemory }[];
  /**
   * Prompts a leg hears are part of its channel too (`heard`), or only what it said (`said`). `arriving`: what it said, without the
   * delay of its jitter buffer, for a channel of a single leg; channels are then not in step with each other.
   */
  readonly of: 'said' | 'heard' | 'arriving';
}
