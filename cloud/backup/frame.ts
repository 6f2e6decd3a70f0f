/** Kinds of frames, one letter each. */
export const FRAME = {
  manifest: 'M',
  vaultKey: 'K',
  rows: 'R',
  file: 'F',
  data: 'D',
  end: 'E',
} as const;

export type FrameKind = (typeof FRAME)[keyof typeof FRAME];

export interface Frame {
  readonly kind: FrameKind;
  readonly payload: Buffer;
}

/** Kind (1 byte), length of the payload (4 bytes, big endian). */
const HEAD_BYTES = 5;

/** No frame is longer: a length beyond it is damage, and must not become memory. */
const MOST_PAYLOAD = 64 * 1024 * 1024;

const isKind = (letter: string): letter is FrameKind => (Object.values(FRAME) as string[]).includes(letter);

export function frame(kind: FrameKind, payload: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(kind, 0, 'latin1');
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
}

export const jsonFrame = (kind: FrameKind, value: unknown): Buffer =>
  frame(kind, Buffer.from(JSON.stringify(value)));

/** Cuts bytes into frames. Throws for a kind or a length that no frame has, and for an end within one. */
export async function* framesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk]);
    let at = 0;
    for (;;) {
      if (held.length - at < HEAD_BYTES) break;
      const kind = held.toString('latin1', at, at + 1);
      const length = held.readUInt32BE(at + 1);
      if (!isKind(kind) || length > MOST_PAYLOAD) throw new Error('it holds a part of an unknown form');
      if (held.length - at < HEAD_BYTES + length) break;
      const from = at + HEAD_BYTES;
      yield { kind, payload: held.subarray(from, from + length) };
      at = from + length;
    }
    held = held.subarray(at);
  }
  if (held.length > 0) throw new Error('it ends within a part');
}
