import { PARAMETER_BITS } from './gsm.codes.ts';

/** Bytes of one frame on the wire (RFC 3551, 4.5.8), samples it stands for. */
export const GSM_FRAME_BYTES = 33;
const SIGNATURE = 0xd;

/** How many parameters a frame has. */
export const GSM_PARAMETERS = PARAMETER_BITS.length;

/** Takes a frame apart; false when its signature is wrong. */
export function unpackGsm(source: Uint8Array, offset: number, parameters: Int16Array): boolean {
  if ((source[offset] ?? 0) >> 4 !== SIGNATURE) return false;
  let at = offset;
  let held = source[at++] ?? 0;
  let bits = 4;
  for (let i = 0; i < PARAMETER_BITS.length; i++) {
    const width = PARAMETER_BITS[i] ?? 0;
    if (bits < width) {
      held = ((held & ((1 << bits) - 1)) << 8) | (source[at++] ?? 0);
      bits += 8;
    }
    bits -= width;
    parameters[i] = (held >> bits) & ((1 << width) - 1);
  }
  return true;
}

/** Puts a frame together. */
export function packGsm(parameters: Int16Array, target: Uint8Array, offset: number): void {
  let at = offset;
  let held = SIGNATURE;
  let bits = 4;
  for (let i = 0; i < PARAMETER_BITS.length; i++) {
    const width = PARAMETER_BITS[i] ?? 0;
    held = (held << width) | (parameters[i] ?? 0);
    bits += width;
    if (bits >= 8) {
      bits -= 8;
      target[at++] = held >> bits;
      held &= (1 << bits) - 1;
    }
  }
}
