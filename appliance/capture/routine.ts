import { bodyAt, type SipHead } from './head.ts';
import { latin1 } from './mask.ts';

/** Exchanges that every device repeats all day. One that succeeds is counted and not stored. */
export const ROUTINES = ['register', 'options', 'heartbeat'] as const;
export type Routine = (typeof ROUTINES)[number];

/** A SCAIP request of type PI (SS 91100), and the reference that its answer repeats. */
const PING = /<(?:[\w.-]{1,32}:)?mty>\s{0,8}PI\s{0,8}</i;
const REFERENCE = /<(?:[\w.-]{1,32}:)?ref>([^<]{1,64})</i;
/** Chosen: a heartbeat has few elements; whatever is longer is stored. */
const LONGEST_PING = 4_096;
const REFERENCES = 4_096;
/** A NULL frame in plain text or encrypted (DC-09 5.5.3), and its acknowledgement. */
const NULL_FRAME = /^\n?[^"]{0,8}"\*?NULL"/;
const ACK_FRAME = /^\n?[^"]{0,8}"\*?ACK"/;
const TOKEN_BYTES = 24;

/** Recognises routine requests. It remembers the references of heartbeats, since the answer is a request of its own. */
export class Routines {
  readonly #references = new Set<string>();

  ofRequest(head: SipHead, bytes: Uint8Array, isIncoming: boolean): Routine | undefined {
    if (head.method === 'REGISTER') return 'register';
    if (head.method === 'OPTIONS') return 'options';
    if (head.method !== 'MESSAGE') return undefined;
    const from = bodyAt(bytes);
    if (bytes.length - from > LONGEST_PING) return undefined;
    const body = latin1(bytes, from, bytes.length);
    const reference = REFERENCE.exec(body)?.[1];
    if (!isIncoming)
      return reference !== undefined && this.#references.delete(reference) ? 'heartbeat' : undefined;
    if (!PING.test(body)) return undefined;
    if (reference !== undefined) this.#remember(reference);
    return 'heartbeat';
  }

  #remember(reference: string): void {
    this.#references.add(reference);
    const [oldest] = this.#references;
    if (this.#references.size > REFERENCES && oldest !== undefined) this.#references.delete(oldest);
  }
}

export const isNullFrame = (frame: Uint8Array): boolean =>
  NULL_FRAME.test(latin1(frame, 0, Math.min(frame.length, TOKEN_BYTES)));

export const isAckFrame = (frame: Uint8Array): boolean =>
  ACK_FRAME.test(latin1(frame, 0, Math.min(frame.length, TOKEN_BYTES)));
