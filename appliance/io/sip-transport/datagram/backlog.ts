/** A datagram with its remote, whatever the owner takes for one. */
export interface Datagram<Remote> {
  readonly remote: Remote;
  readonly bytes: Buffer;
}

/** Largest number of datagrams that wait, and of their bytes. */
export interface BacklogLimits {
  readonly datagrams: number;
  readonly bytes: number;
}

const MOST: BacklogLimits = { datagrams: 8_000, bytes: 8 * 1024 * 1024 };
const CALL_ID = /^(?:call-id|i)[ \t]*:[ \t]*(\S+)/im;
const HEAD_END = '\r\n\r\n';

/** Datagrams that wait to be handled, without those that a later one makes superfluous. The README has the rule. */
export class Backlog<Remote> {
  readonly #limits: BacklogLimits;
  /** In the order of their places; a later datagram of the same key keeps the place. */
  readonly #waiting = new Map<string, Datagram<Remote>>();
  #bytes = 0;

  constructor(limits: BacklogLimits = MOST) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /**
   * @param name of the remote: equal names are one sender
   * @returns false: there was no room, the datagram is dropped
   */
  add(name: string, datagram: Datagram<Remote>): boolean {
    const key = `${name} ${identityOf(datagram.bytes)}`;
    const superseded = this.#waiting.get(key);
    const bytes = this.#bytes + datagram.bytes.length - (superseded?.bytes.length ?? 0);
    if (superseded === undefined && this.#waiting.size >= this.#limits.datagrams) return false;
    if (bytes > this.#limits.bytes) return false;
    this.#waiting.set(key, datagram);
    this.#bytes = bytes;
    return true;
  }

  /** Takes out the datagram whose place is the oldest; `undefined`: none waits. */
  next(): Datagram<Remote> | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    const [key, datagram] = first;
    this.#waiting.delete(key);
    this.#bytes -= datagram.bytes.length;
    return datagram;
  }

  clear(): void {
    this.#waiting.clear();
    this.#bytes = 0;
  }
}

/** Latin-1, in which a byte is a sign. A MESSAGE is its Call-ID and its body, everything else all of its bytes. */
function identityOf(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  if (!text.startsWith('MESSAGE ')) return text;
  const end = text.indexOf(HEAD_END);
  const callId = end < 0 ? undefined : CALL_ID.exec(text.slice(0, end))?.[1];
  return callId === undefined ? text : `${callId} ${text.slice(end)}`;
}
