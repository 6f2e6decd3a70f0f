import { type SipHead, sipHead } from './head.ts';
import { type CapturedMessage, LONGEST_MESSAGE, type Share } from './message.ts';
import { MessageQueue, type TakenMessage } from './message-queue.ts';
import { isAckFrame, isNullFrame, ROUTINES, type Routine, Routines } from './routine.ts';
import { Standing } from './standing.ts';

/** Hears of each message whose share is decided; the bytes are true until it returns. */
export type Decided = (share: Share, message: CapturedMessage) => void;

/** Numbers since the start of the program. */
export interface IntakeCounts {
  /** Routine exchanges that succeeded. */
  readonly routine: Readonly<Record<Routine, number>>;
  /** Messages that found no room in memory. */
  readonly missed: number;
}

/** Longer than a transaction lasts (64 x T1 = 32 s, RFC 3261 17). */
const UNDECIDED_MS = 40_000;
/** For each share. */
const MOST_UNDECIDED = 2_000;
const MOST_UNDECIDED_BYTES = 2 * 1024 * 1024;
/** Messages that were not looked at yet. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024;

interface Conversation {
  readonly routine: Routine | undefined;
  readonly sinceMs: number;
  readonly messages: CapturedMessage[];
  bytes: number;
}

/**
 * Takes messages at the speed of the transport and decides later, in batches: a routine exchange that succeeds is counted, a source
 * that is not known yet waits for the answer to its request.
 *
 *     taken ─ waiting ─ drain ─┬─ known source, no routine ────────────────▶ ring of known peers
 *                              ├─ routine: waits ─ 2xx ─▶ counted;  other ─▶ ring of its source
 *                              └─ stranger: waits ─ 2xx ─▶ known;   other ─▶ ring of strangers
 */
export class Intake {
  readonly #standing = new Standing();
  readonly #routines = new Routines();
  readonly #waiting = new MessageQueue(MOST_WAITING_BYTES);
  readonly #undecided: Readonly<Record<Share, { map: Map<string, Conversation>; bytes: number }>> = {
    known: { map: new Map(), bytes: 0 },
    stranger: { map: new Map(), bytes: 0 },
  };
  readonly #counted = Object.fromEntries(ROUTINES.map((each) => [each, 0])) as Record<Routine, number>;
  #missed = 0;

  /** Messages that wait for `drain`. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Messages that wait for an answer. */
  get isUndecided(): boolean {
    return this.#undecided.known.map.size + this.#undecided.stranger.map.size > 0;
  }

  get counts(): IntakeCounts {
    return { routine: { ...this.#counted }, missed: this.#missed };
  }

  /** Only this runs while a message is being handled. */
  take(message: TakenMessage): void {
    if (message.bytes.length > LONGEST_MESSAGE || !this.#waiting.add(message)) this.#missed++;
  }

  drain(nowMs: number, decided: Decided): void {
    this.#waiting.drain((message) => this.#look(message, decided));
    for (const share of ['known', 'stranger'] as const) this.#expire(share, nowMs, decided);
  }

  /** Decides all that waits, as when the program ends. */
  settle(decided: Decided): void {
    this.drain(Number.POSITIVE_INFINITY, decided);
  }

  /** Messages that are still undecided. */
  *held(): Iterable<CapturedMessage> {
    for (const { map } of Object.values(this.#undecided))
      for (const { messages } of map.values()) yield* messages;
  }

  #look(message: TakenMessage, decided: Decided): void {
    if (message.protocol === 'sip') this.#sip(message, decided);
    else if (message.protocol === 'dc09' && message.key !== undefined)
      this.#sentFrame({ ...message, key: message.key }, decided);
    else if (message.protocol === 'dc09') this.#frame(message, decided);
    else decided('known', { ...message, key: message.key ?? '' });
  }

  #sip(taken: TakenMessage, decided: Decided): void {
    const head = sipHead(taken.bytes);
    const message = { ...taken, key: head.callId };
    if (head.status === 0) this.#request(message, head, decided);
    else this.#response(message, head, decided);
  }

  #request(message: CapturedMessage, head: SipHead, decided: Decided): void {
    const source = message.flow.remoteAddress;
    const isIncoming = message.direction === 'in';
    const isKnown = !isIncoming || this.#standing.isKnown(source);
    const isAnswered = head.method !== 'ACK';
    if (isIncoming && isAnswered && head.method !== 'OPTIONS') this.#standing.asked(source);
    const share = isKnown ? 'known' : 'stranger';
    const place = this.#placeOf(head.callId);
    if (place !== undefined) this.#hold(place, message, undefined, decided);
    else {
      const routine = isAnswered ? this.#routines.ofRequest(head, message.bytes, isIncoming) : undefined;
      if (routine === undefined && (isKnown || !isAnswered)) decided(share, message);
      else this.#hold(share, message, routine, decided);
    }
  }

  #response(message: CapturedMessage, { status, method, callId }: SipHead, decided: Decided): void {
    const isOurs = message.direction === 'out';
    const source = message.flow.remoteAddress;
    // A call that rings, or a request that is accepted, was let in; 100 and challenges go to everybody.
    const isAccepted = status >= 180 && status < 300;
    if (isOurs && isAccepted && method !== 'OPTIONS') this.#standing.accepted(source, status < 200 ? 1 : 3);
    const place = this.#placeOf(callId);
    if (place === undefined) {
      decided(!isOurs || this.#standing.isKnown(source) ? 'known' : 'stranger', message);
      return;
    }
    const conversation = this.#hold(place, message, undefined, decided);
    if (isAccepted)
      this.#decide(callId, place, 'known', decided, status >= 200 && isRoutine(conversation, method));
    else if (status >= 200 && !isChallenge(status)) this.#decide(callId, place, place, decided, false);
  }

  #frame(taken: TakenMessage, decided: Decided): void {
    const { remoteAddress, remotePort } = taken.flow;
    const key = `${remoteAddress}:${remotePort}`;
    const message = { ...taken, key };
    const place = this.#placeOf(key);
    const isKnown = this.#standing.isKnown(remoteAddress);
    if (message.direction === 'in') {
      const routine = isNullFrame(message.bytes) ? 'heartbeat' : undefined;
      this.#standing.asked(remoteAddress);
      if (routine === undefined && isKnown && place === undefined) decided('known', message);
      else this.#hold(place ?? (isKnown ? 'known' : 'stranger'), message, routine, decided);
      return;
    }
    const isAck = isAckFrame(message.bytes);
    if (isAck) this.#standing.accepted(remoteAddress);
    if (place === undefined) decided(isKnown || isAck ? 'known' : 'stranger', message);
    else {
      const { routine } = this.#hold(place, message, undefined, decided);
      this.#decide(key, place, isAck ? 'known' : place, decided, isAck && routine !== undefined);
    }
  }

  /** A frame of ours to a receiver that the tenant named, and its answer: no stranger has a part in it. */
  #sentFrame(message: CapturedMessage, decided: Decided): void {
    const isWaiting = this.#placeOf(message.key) !== undefined;
    if (message.direction === 'out' && isNullFrame(message.bytes))
      this.#hold('known', message, 'heartbeat', decided);
    else if (!isWaiting) decided('known', message);
    else {
      const { routine } = this.#hold('known', message, undefined, decided);
      const isAck = message.direction === 'in' && isAckFrame(message.bytes);
      this.#decide(message.key, 'known', 'known', decided, isAck && routine !== undefined);
    }
  }

  #placeOf(key: string): Share | undefined {
    if (this.#undecided.known.map.has(key)) return 'known';
    return this.#undecided.stranger.map.has(key) ? 'stranger' : undefined;
  }

  /** A copy: the memory of the queue is used again. */
  #hold(
    share: Share,
    message: CapturedMessage,
    routine: Routine | undefined,
    decided: Decided,
  ): Conversation {
    const place = this.#undecided[share];
    const known = place.map.get(message.key);
    const conversation = known ?? { routine, sinceMs: message.atMs, messages: [], bytes: 0 };
    conversation.messages.push({ ...message, bytes: new Uint8Array(message.bytes) });
    conversation.bytes += message.bytes.length;
    place.bytes += message.bytes.length;
    if (known === undefined) place.map.set(message.key, conversation);
    while (place.map.size > MOST_UNDECIDED || place.bytes > MOST_UNDECIDED_BYTES) {
      const [oldest] = place.map.keys();
      if (oldest === undefined) break;
      this.#decide(oldest, share, share, decided, false);
    }
    return conversation;
  }

  #decide(key: string, place: Share, share: Share, decided: Decided, isCounted: boolean): void {
    const from = this.#undecided[place];
    const conversation = from.map.get(key);
    if (conversation === undefined) return;
    from.map.delete(key);
    from.bytes -= conversation.bytes;
    const { routine, messages } = conversation;
    if (!isCounted || routine === undefined) for (const message of messages) decided(share, message);
    else if (messages[0]?.direction === 'in' || routine !== 'heartbeat') this.#counted[routine]++;
  }

  #expire(share: Share, nowMs: number, decided: Decided): void {
    for (const [key, { sinceMs }] of this.#undecided[share].map) {
      if (nowMs - sinceMs < UNDECIDED_MS) return;
      this.#decide(key, share, share, decided, false);
    }
  }
}

const isChallenge = (status: number): boolean => status === 401 || status === 407 || status === 423;

const isRoutine = ({ routine }: Conversation, method: string): boolean =>
  routine !== undefined &&
  (routine === 'heartbeat' ? method === 'MESSAGE' : method === routine.toUpperCase());
