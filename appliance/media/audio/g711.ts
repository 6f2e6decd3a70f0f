import type { Codec } from './frame.ts';

/**
 * G.711 by tables: 64 K entries to encode, 256 to decode, one table per law and direction.
 *
 * The tables are filled from the decision rule of ITU-T G.711 (tables 1a, 1b, 2a, 2b) with the linear values
 * left-justified in 16 bits, as the reference software G.191 has them. Negative values are taken as ones' complement,
 * so an input that lies exactly on a decision value goes to the smaller magnitude on the positive side only.
 */

/** Code of one 16-bit sample; even bits inverted, as on the wire. */
function alawOf(sample: number): number {
  let magnitude = (sample < 0 ? ~sample : sample) >> 4;
  if (magnitude > 15) {
    let segment = 1;
    while (magnitude > 31) {
      magnitude >>= 1;
      segment++;
    }
    magnitude += (segment << 4) - 16;
  }
  return (sample < 0 ? magnitude : magnitude | 0x80) ^ 0x55;
}

function linearOfAlaw(code: number): number {
  const magnitude = (code ^ 0x55) & 0x7f;
  const segment = magnitude >> 4;
  const step = ((magnitude & 0x0f) + (segment > 0 ? 16 : 0)) * 16 + 8;
  const value = segment > 1 ? step << (segment - 1) : step;
  return code & 0x80 ? value : -value;
}

/** Added to the 14-bit magnitude before the segment is looked for (G.711 table 2a, note). */
const ULAW_BIAS = 33;

/** Code of one 16-bit sample; all bits inverted, as on the wire. */
function ulawOf(sample: number): number {
  const magnitude = Math.min(((sample < 0 ? ~sample : sample) >> 2) + ULAW_BIAS, 0x1fff);
  const segment = 26 - Math.clz32(magnitude);
  const code = (segment << 4) | ((magnitude >> (segment + 1)) & 0x0f);
  return ~(sample < 0 ? code | 0x80 : code) & 0xff;
}

function linearOfUlaw(code: number): number {
  const inverted = ~code & 0xff;
  const segment = (inverted >> 4) & 7;
  const value = ((2 * (inverted & 0x0f) + ULAW_BIAS) << (segment + 2)) - 4 * ULAW_BIAS;
  return inverted & 0x80 ? -value : value;
}

class TableCodec implements Codec {
  readonly #encoded: Uint8Array;
  readonly #linear: Int16Array;

  constructor(codeOf: (sample: number) => number, linearOf: (code: number) => number) {
    this.#encoded = new Uint8Array(65_536);
    // Every program and thread with audio fills them at its start. Neither law knows the two lowest bits of a sample.
    for (let index = 0; index < 65_536; index += 4)
      this.#encoded.fill(codeOf((index << 16) >> 16), index, index + 4);
    this.#linear = Int16Array.from({ length: 256 }, (_, code) => linearOf(code));
  }

  decode(source: Uint8Array, offset: number, length: number, out: Int16Array): number {
    const linear = this.#linear;
    for (let i = 0; i < length; i++) out[i] = linear[source[offset + i] ?? 0] ?? 0;
    return length;
  }

  encode(frame: Int16Array, target: Uint8Array, offset: number): number {
    const encoded = this.#encoded;
    for (let i = 0; i < frame.length; i++) target[offset + i] = encoded[(frame[i] ?? 0) & 0xffff] ?? 0;
    return frame.length;
  }
}

/** A-law, payload type 8. Stateless: one instance serves every leg. */
export const pcma: Codec = new TableCodec(alawOf, linearOfAlaw);

/** Mu-law, payload type 0. Stateless: one instance serves every leg. */
export const pcmu: Codec = new TableCodec(ulawOf, linearOfUlaw);

/** Silence in each law: the codes of linear 0. */
export const ALAW_SILENCE = alawOf(0);
export const ULAW_SILENCE = ulawOf(0);

const crossTable = (codeOf: (sample: number) => number, linearOf: (code: number) => number): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, code) => codeOf(linearOf(code)));

/** Code to code between the laws, for two bridged legs without a listener. */
export const ULAW_OF_ALAW: Uint8Array = crossTable(ulawOf, linearOfAlaw);
export const ALAW_OF_ULAW: Uint8Array = crossTable(alawOf, linearOfUlaw);
