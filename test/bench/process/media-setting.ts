import type { WorkerLoad } from '#appliance/io/media-worker/index.ts';
import type { VoiceCodec } from '#appliance/media/control/index.ts';

/** Legs of one media worker; leg n talks to `peerHost` at `firstPeerPort` + 2 n. */
export interface MediaLegsSetting {
  readonly legs: number;
  /**
   * `relay`: pairs on the fast path (0 with 1, 2 with 3 …). `mixed`: the same pairs through the slices. `playback`: every
   * leg decodes, hears DTMF, plays a prompt. `samples`: the same with the prompt encoded for each leg.
   */
  readonly work: 'relay' | 'mixed' | 'playback' | 'samples';
  readonly codec: VoiceCodec;
  /** Both ways, all legs with the same key (30 bytes each, seen from us). */
  readonly srtp?: { readonly sendKey: Uint8Array; readonly receiveKey: Uint8Array };
  /** Legs from this one on are each joined with a program of its own at this address, which hears and speaks. */
  readonly programs?: { readonly url: string; readonly from: number };
  readonly peerHost: string;
  readonly firstPeerPort: number;
  /** Range of our own ports. */
  readonly ports: { readonly from: number; readonly to: number };
}

export interface MediaLegsReady {
  /** RTP port of each leg, in order. */
  readonly ports: readonly number[];
}

export type MediaLegsAnswer = readonly (WorkerLoad | undefined)[];
