import {
  ADDRESS_BYTES,
  type Libc,
  linux,
  type ReceiveBatch,
  readSocketAddress,
  writeSocketAddress,
} from '../libc/index.ts';
import type { DatagramSink, RtpSocket } from './rtp-socket.ts';

const WORDS = ADDRESS_BYTES / 4;

/** A socket by its descriptor. A socket that sends to one peer and hears one peer translates each address once. */
export class SystemSocket implements RtpSocket {
  #sink: DatagramSink | null = null;
  readonly #libc: Libc;
  readonly #family: 4 | 6;
  readonly #fd: number;
  readonly #end: () => void;
  #open = true;
  /** The last address that was sent to. */
  readonly #to = new Uint8Array(ADDRESS_BYTES);
  #toLength = 0;
  #toHost = '';
  #toPort = -1;
  /** The last that something came from. */
  readonly #from = new Int32Array(WORDS);
  #fromHost = '';
  #fromPort = 0;

  constructor(libc: Libc, family: 4 | 6, fd: number, end: () => void) {
    this.#libc = libc;
    this.#family = family;
    this.#fd = fd;
    this.#end = end;
  }

  deliverTo(sink: DatagramSink): void {
    if (this.#open) this.#sink = sink;
  }

  send(bytes: Uint8Array, host: string, port: number): void {
    if (!this.#open) return;
    if (port !== this.#toPort || host !== this.#toHost) {
      this.#toLength = writeSocketAddress(this.#libc, this.#family, { host, port }, this.#to);
      this.#toHost = host;
      this.#toPort = port;
    }
    if (this.#toLength === 0) return;
    this.#libc.sendto(this.#fd, bytes, bytes.length, linux.MSG_DONTWAIT, this.#to, this.#toLength);
  }

  /** Hands out what waits, up to the size of the batch; the rest at the next call. */
  receive(batch: ReceiveBatch, nowMs: number): void {
    const found = batch.receive(this.#fd);
    for (let i = 0; i < found; i++) {
      // A packet may end its leg, and with it this socket.
      if (this.#sink === null) return;
      const bytes = batch.bytes(i);
      if (bytes === null) continue;
      if (!this.#isSame(batch.fromWords, i * WORDS)) this.#noteSender(batch.from, i * ADDRESS_BYTES);
      if (this.#fromPort !== 0) this.#sink(bytes, this.#fromHost, this.#fromPort, nowMs);
    }
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#sink = null;
    this.#end();
  }

  /** The first two words are all of an IPv4 source; of IPv6 the address and the zone follow them. */
  #isSame(words: Int32Array, at: number): boolean {
    const from = this.#from;
    if (words[at] !== from[0] || words[at + 1] !== from[1]) return false;
    if (this.#family === 4) return true;
    for (let i = 2; i <= 6; i++) if (words[at + i] !== from[i]) return false;
    return true;
  }

  #noteSender(bytes: Uint8Array, at: number): void {
    const address = bytes.subarray(at, at + ADDRESS_BYTES);
    new Uint8Array(this.#from.buffer).set(address);
    const { host, port } = readSocketAddress(this.#libc, address);
    this.#fromHost = host;
    this.#fromPort = port;
  }
}
