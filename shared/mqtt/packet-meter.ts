/** Longest packet that is let through, remaining length of its fixed header (MQTT 3.1.1 section 2.2.3). */
const PACKET_LIMIT_BYTES = 72 * 1024;

const PUBLISH = 3;
/** Forbidden in every version (MQTT 3.1.1 section 2.2.1). */
const RESERVED = 0;

/** Reads nothing of a stream but the fixed headers of its packets: how long each is, and how many are PUBLISH. */
export class PacketMeter {
  #publishes = 0;
  /** Bytes of the current packet that are still to come. */
  #left = 0;
  /** Within the remaining length: value so far and weight of the next byte; weight 0 = before a packet. */
  #length = 0;
  #weight = 0;

  /** Whether the stream stands between two packets. */
  get between(): boolean {
    return this.#left === 0 && this.#weight === 0;
  }

  /** PUBLISH packets begun in this chunk, or why the stream must be cut. */
  take(chunk: Uint8Array): { readonly publishes: number } | { readonly fault: string } {
    this.#publishes = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.#left > 0) {
        const skip = Math.min(this.#left, chunk.length - at);
        this.#left -= skip;
        at += skip;
        continue;
      }
      const fault = this.#header(chunk[at] ?? 0);
      if (fault !== undefined) return { fault };
      at += 1;
    }
    return { publishes: this.#publishes };
  }

  #header(byte: number): string | undefined {
    if (this.#weight === 0) {
      // The rest of a packet that does not exist never comes: until the keepalive ends the sender would be deaf and look alive.
      if (byte >> 4 === RESERVED) return 'a packet has the reserved type 0';
      if (byte >> 4 === PUBLISH) this.#publishes += 1;
      this.#weight = 1;
      this.#length = 0;
      return undefined;
    }
    this.#length += (byte & 0x7f) * this.#weight;
    if (this.#length > PACKET_LIMIT_BYTES) return `a packet is longer than ${PACKET_LIMIT_BYTES} bytes`;
    if (byte < 0x80) {
      this.#weight = 0;
      this.#left = this.#length;
      return undefined;
    }
    this.#weight *= 128;
    return this.#weight > 128 ** 3 ? 'a remaining length has more than 4 bytes' : undefined;
  }
}
