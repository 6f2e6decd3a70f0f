import type { CapturedFlow, CapturedMessage, Direction, Protocol } from './message.ts';

/** A message as it is taken: SIP and DC-09 get their key later. */
export type TakenMessage = Omit<CapturedMessage, 'key'> & { readonly key?: string };

/** A batch of messages fits. */
const PAGE_BYTES = 128 * 1024;
/** Places that stay for the next round. */
const MOST_PLACES = 1_024;
const NOWHERE = Buffer.alloc(0);

/** The facts of a message beside its bytes. A place is written over from round to round. */
class Place {
  atMs = 0;
  direction: Direction = 'in';
  protocol: Protocol = 'sip';
  flow: CapturedFlow | undefined;
  key: string | undefined;
  page: Buffer = NOWHERE;
  from = 0;
  to = 0;
}

/**
 * Messages between the transport and the next look at them. Their bytes are copied at once to memory that is used again and again: a
 * datagram that is held instead outlives a collection of young objects, with its view, its buffer and the memory behind it, and that
 * costs more than everything else a capture does.
 */
export class MessageQueue {
  readonly #mostBytes: number;
  readonly #first = Buffer.allocUnsafeSlow(PAGE_BYTES);
  readonly #places: Place[] = [];
  #page = this.#first;
  #used = 0;
  #bytes = 0;
  #length = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get length(): number {
    return this.#length;
  }

  /** False: there is no room for it. */
  add({ atMs, direction, protocol, flow, key, bytes }: TakenMessage): boolean {
    const { length } = bytes;
    if (this.#bytes + length > this.#mostBytes) return false;
    if (this.#used + length > this.#page.length) {
      this.#page = Buffer.allocUnsafeSlow(Math.max(PAGE_BYTES, length));
      this.#used = 0;
    }
    const place = this.#nextPlace();
    place.atMs = atMs;
    place.direction = direction;
    place.protocol = protocol;
    place.flow = flow;
    place.key = key;
    place.page = this.#page;
    place.from = this.#used;
    place.to = this.#used + length;
    this.#page.set(bytes, this.#used);
    this.#used += length;
    this.#bytes += length;
    return true;
  }

  /** Each message in the order of their coming; its bytes are true until `each` returns. The queue is empty afterwards. */
  drain(each: (message: TakenMessage) => void): void {
    try {
      for (let at = 0; at < this.#length; at++) {
        const place = this.#places[at];
        if (place?.flow === undefined) continue;
        const { atMs, direction, protocol, flow, key, page, from, to } = place;
        const message = { atMs, direction, protocol, flow, bytes: page.subarray(from, to) };
        each(key === undefined ? message : { ...message, key });
      }
    } finally {
      this.#clear();
    }
  }

  #nextPlace(): Place {
    const known = this.#places[this.#length];
    const place = known ?? new Place();
    if (known === undefined) this.#places.push(place);
    this.#length++;
    return place;
  }

  #clear(): void {
    if (this.#page !== this.#first) {
      // The memory of a flood is given back.
      for (const place of this.#places) place.page = NOWHERE;
      this.#page = this.#first;
    }
    if (this.#places.length > MOST_PLACES) this.#places.length = MOST_PLACES;
    this.#length = 0;
    this.#used = 0;
    this.#bytes = 0;
  }
}
