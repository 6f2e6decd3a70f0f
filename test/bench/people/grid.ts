/** Samples of G.711 in a millisecond. */
const PER_MS = 8;
const HEAD_BYTES = 12;
const MARK = 0x80;

interface Packet {
  readonly atMs: number;
  /** Time of its first sample by the stream, ms. */
  readonly streamMs: number;
}

/** Packets of audio by stream; each talkspurt has a grid of its own, whose earliest packet is in time. */
export class Grid {
  readonly #spurts = new Map<string, Packet[][]>();

  /** `from`: whatever names the stream. Events (RFC 4733) repeat their time, and are no part of the grid. */
  packet(from: string, packet: Buffer, atMs: number): void {
    if (packet.length < HEAD_BYTES || (packet.readUInt8(1) & ~MARK) !== 8) return;
    const spurts = this.#spurts.get(from) ?? [];
    this.#spurts.set(from, spurts);
    const streamMs = packet.readUInt32BE(4) / PER_MS;
    const last = spurts.at(-1)?.at(-1);
    const isNext = last !== undefined && streamMs > last.streamMs && streamMs - last.streamMs <= 40;
    if (!isNext || (packet.readUInt8(1) & MARK) !== 0) spurts.push([]);
    spurts.at(-1)?.push({ atMs, streamMs });
  }

  get streams(): number {
    return this.#spurts.size;
  }

  /** How late each packet was, ms; empties the grid. A single packet says nothing. */
  take(): number[] {
    const late: number[] = [];
    for (const spurts of this.#spurts.values())
      for (const spurt of spurts) {
        if (spurt.length < 2) continue;
        const offsets = spurt.map(({ atMs, streamMs }) => atMs - streamMs);
        const least = offsets.reduce((one, other) => Math.min(one, other));
        for (const offset of offsets) late.push(offset - least);
      }
    this.#spurts.clear();
    return late;
  }
}
