import {
  ALAW_OF_ULAW,
  ALAW_SILENCE,
  type Codec,
  gsmCodec,
  pcma,
  pcmu,
  ULAW_OF_ALAW,
  ULAW_SILENCE,
} from '../../audio/index.ts';
import type { LegStream, VoiceCodec } from '../../control/index.ts';
import { G711_FORM, GSM_FORM, type PayloadForm } from '../../rtp/index.ts';

/** The meaning of a payload type on a leg. */
export const NOTHING = 0;
export const PCMA = 1;
export const PCMU = 2;
export const GSM = 3;
export const EVENT = 4;
export const NOISE = 5;
/** A type without a description: an event, if it looks like one. */
export const GUESSED_EVENT = 6;

/** Static number of comfort noise (RFC 3551 6). */
const NOISE_TYPE = 13;

export const KIND_OF: Readonly<Record<VoiceCodec, number>> = { PCMA, PCMU, GSM };

export const formOf = (kind: number): PayloadForm => (kind === GSM ? GSM_FORM : G711_FORM);

/** The code of silence of the G.711 laws. */
export const silenceOf = (kind: number): number => (kind === PCMU ? ULAW_SILENCE : ALAW_SILENCE);

/** Kind of each of the 128 payload types a peer may send. */
export function payloadKinds(stream: LegStream | null): Uint8Array {
  const kinds = new Uint8Array(128);
  if (stream === null) return kinds;
  for (const { payloadType, codec } of stream.receive) kinds[payloadType & 0x7f] = KIND_OF[codec];
  for (const type of eventTypesOf(stream)) kinds[type] = EVENT;
  for (const type of stream.guessedEvents ?? []) if (kinds[type] === NOTHING) kinds[type] = GUESSED_EVENT;
  // Interop: gateways send it unasked where a call falls silent; it then says that its sender lives.
  if (kinds[NOISE_TYPE] === NOTHING) kinds[NOISE_TYPE] = NOISE;
  if (stream.comfortNoise) kinds[stream.comfortNoise.receive & 0x7f] = NOISE;
  return kinds;
}

/**
 * Payload types under which telephone-events may come: the one that we gave, and the peer's own where that means nothing
 * else. A peer that answers our offer with another number is to send with ours (RFC 3264 6.1); some send with their own,
 * and their digits would be lost.
 */
export function eventTypesOf({ receive, telephoneEvent, comfortNoise }: LegStream): readonly number[] {
  if (telephoneEvent === undefined) return [];
  const { send, receive: given } = telephoneEvent;
  const taken = receive.some(({ payloadType }) => payloadType === send) || comfortNoise?.receive === send;
  return (taken || send === given ? [given] : [given, send]).map((type) => type & 0x7f);
}

/** The codecs of one direction of one leg: G.711 is shared, GSM remembers and is made when it is first needed. */
export class LegCodecs {
  #gsm: Codec | undefined;

  of(kind: number): Codec {
    if (kind === PCMU) return pcmu;
    if (kind !== GSM) return pcma;
    this.#gsm ??= gsmCodec();
    return this.#gsm;
  }
}

/** Bytes of one law in the other; null: nothing to change; undefined: there is no table. */
export function lawTable(from: VoiceCodec, to: VoiceCodec): Uint8Array | null | undefined {
  if (from === to) return null;
  if (from === 'PCMA' && to === 'PCMU') return ULAW_OF_ALAW;
  if (from === 'PCMU' && to === 'PCMA') return ALAW_OF_ULAW;
  return undefined;
}
