import { Duplex } from 'node:stream';
import { PacketMeter } from '#shared/mqtt/index.ts';

export interface MessageRate {
  readonly perSecond: number;
  readonly burst: number;
}

/** 50 messages a second, 200 at once, for one host. */
export const HOST_MESSAGE_RATE: MessageRate = { perSecond: 50, burst: 200 };

/** Takes what the broker need not see: a chunk that begins with a packet. True = taken. */
export type Shortcut = (chunk: Buffer) => boolean;

/**
 * Stands between a socket and the broker, which itself has no limit of size. A packet that is too long ends the
 * connection before the broker has read it. Chosen: the broker reads a client that sends faster than the rate more slowly; TCP
 * holds it back, nothing is lost and no client has to reconnect.
 */
export class GuardedStream extends Duplex {
  readonly #inner: Duplex;
  readonly #meter = new PacketMeter();
  readonly #rate: MessageRate | undefined;
  readonly #shortcut: Shortcut | undefined;
  #tokens: number;
  #filledAt = performance.now();
  #resting: NodeJS.Timeout | undefined;
  #wanted = false;

  constructor(inner: Duplex, rate: MessageRate | undefined, shortcut?: Shortcut) {
    super({ allowHalfOpen: false });
    this.#inner = inner;
    this.#rate = rate;
    this.#shortcut = shortcut;
    this.#tokens = rate?.burst ?? 0;
    inner.pause();
    inner.on('data', (chunk: Buffer) => this.#take(chunk));
    inner.on('end', () => this.push(null));
    inner.on('error', (error) => this.destroy(error));
    inner.on('close', () => this.destroy());
  }

  #take(chunk: Buffer): void {
    // Nothing may be overtaken: what came before is with the broker already.
    const alone = this.#meter.between && this.readableLength === 0;
    const measured = this.#meter.take(chunk);
    if ('fault' in measured) {
      this.destroy(new Error(measured.fault));
      return;
    }
    const taken = alone && this.#shortcut?.(chunk) === true;
    if (!taken) this.#wanted = this.push(chunk);
    if (taken && this.#rate === undefined) return;
    this.#inner.pause();
    const restMs = this.#spend(measured.publishes);
    if (restMs > 0) {
      this.#resting = setTimeout(() => {
        this.#resting = undefined;
        if (this.#wanted) this.#inner.resume();
      }, restMs);
    } else if (this.#wanted) this.#inner.resume();
  }

  /** Milliseconds to wait before anything more is read. */
  #spend(publishes: number): number {
    if (this.#rate === undefined || publishes === 0) return 0;
    const now = performance.now();
    const { perSecond, burst } = this.#rate;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filledAt) / 1000) * perSecond) - publishes;
    this.#filledAt = now;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / perSecond) * 1000;
  }

  override _read(): void {
    this.#wanted = true;
    if (this.#resting === undefined) this.#inner.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#inner.write(chunk, encoding, done);
  }

  /** Several at once, as the broker writes a packet in pieces: one call of the system for all. */
  override _writev(
    pieces: { readonly chunk: Buffer; readonly encoding: BufferEncoding }[],
    done: (error?: Error | null) => void,
  ): void {
    const last = pieces.at(-1);
    this.#inner.cork();
    for (const piece of pieces)
      this.#inner.write(piece.chunk, piece.encoding, piece === last ? done : undefined);
    this.#inner.uncork();
  }

  override _final(done: () => void): void {
    this.#inner.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#resting);
    this.#inner.destroy();
    done(error);
  }
}
