import type { Codec } from './frame.ts';
import { GsmDecoder } from './gsm-decode.ts';
import { GsmEncoder } from './gsm-encode.ts';

/** GSM full rate, payload type 3: both directions of one leg. Stateful: one instance per leg. */
export function gsmCodec(): Codec {
  const [encoder, decoder] = [new GsmEncoder(), new GsmDecoder()];
  return {
    decode: (source, offset, length, out) => decoder.decode(source, offset, length, out),
    encode: (frame, target, offset) => encoder.encode(frame, target, offset),
  };
}
