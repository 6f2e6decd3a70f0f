import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Stream, StreamCount } from './load-setting.ts';
import { okTo } from './ok-to.ts';

const MB = 1024 * 1024;
const HOST = '127.0.0.1';
const BRANCH = 'branch=z9hG4bK';
/** A datagram that was lost holds its place in a closed loop for so long. */
const GIVEN_UP_NS = 2_000_000_000n;

/** One stream of requests on a socket of its own. Nothing is repeated: what gets lost counts as lost. */
export class LoadStream {
  readonly #stream: Stream;
  readonly #socket: Socket;
  readonly #port: number;
  /** Makes references of one run differ from those of every other. */
  readonly #mark = process.hrtime.bigint().toString(36).slice(-6).toUpperCase();
  readonly #inProgress = new Map<string, bigint>();
  #sentAt: (readonly [string, bigint])[] = [];
  #sent = 0;
  #answered = 0;
  #done = 0;
  #refused = 0;
  #repeated = 0;
  #latenessMs = 0;
  #perSecond = 0;
  #paceStartMs = 0;
  #paceSent = 0;
  #paceMost = Number.POSITIVE_INFINITY;
  #keep = 0;

  private constructor(stream: Stream, socket: Socket) {
    this.#stream = stream;
    this.#socket = socket;
    this.#port = socket.address().port;
    socket.on('message', (bytes: Buffer) => this.#receive(bytes));
  }

  static async open(stream: Stream): Promise<LoadStream> {
    const socket = createSocket({
      type: 'udp4',
      recvBufferSize: 8 * MB,
      lookup: (host, _options, done) => done(null, host, 4),
    });
    const listening = once(socket, 'listening');
    socket.bind(0, HOST);
    await listening;
    return new LoadStream(stream, socket);
  }

  pace(perSecond: number): void {
    this.#perSecond = perSecond;
    this.#paceStartMs = performance.now();
    this.#paceSent = 0;
    this.#paceMost = Number.POSITIVE_INFINITY;
  }

  /** Paces so many; resolves when they have been sent. */
  async begin(count: number, perSecond: number): Promise<void> {
    this.pace(perSecond);
    this.#paceMost = count;
    while (this.#paceSent < count) await new Promise((resolve) => setTimeout(resolve, 5));
    this.#perSecond = 0;
  }

  keep(inProgress: number): void {
    this.#keep = inProgress;
    this.#refill();
  }

  /** Sends what is due by now, and says whether anything was. */
  tick(): boolean {
    if (this.#keep > 0) this.#forget();
    if (this.#perSecond === 0) return false;
    const passedMs = performance.now() - this.#paceStartMs;
    const due = Math.min(this.#paceMost, Math.floor((passedMs * this.#perSecond) / 1000));
    if (this.#paceSent >= due) return false;
    const lateMs = passedMs - ((this.#paceSent + 1) * 1000) / this.#perSecond;
    this.#latenessMs = Math.max(this.#latenessMs, lateMs);
    for (; this.#paceSent < due; this.#paceSent++) this.#send();
    return true;
  }

  count(): StreamCount {
    const sentAt = this.#sentAt;
    const latenessMs = this.#latenessMs;
    this.#sentAt = [];
    this.#latenessMs = 0;
    return {
      sent: this.#sent,
      answered: this.#answered,
      done: this.#done,
      refused: this.#refused,
      repeated: this.#repeated,
      inFlight: this.#inProgress.size,
      sentAt: this.#stream.kind === 'alarm' ? sentAt : [],
      latenessMs,
    };
  }

  async drained(withinMs: number): Promise<void> {
    this.#perSecond = 0;
    this.#keep = 0;
    const untilMs = performance.now() + withinMs;
    while (this.#inProgress.size > 0 && performance.now() < untilMs)
      await new Promise((resolve) => setTimeout(resolve, 20));
  }

  close(): void {
    this.#socket.close();
  }

  #send(): void {
    const number = this.#sent++;
    const ref = `${this.#mark}${number.toString(36).toUpperCase()}`;
    const { kind } = this.#stream;
    const atNs = process.hrtime.bigint();
    this.#inProgress.set(ref, atNs);
    if (kind === 'alarm') this.#sentAt.push([ref, atNs]);
    this.#socket.send(this.#request(ref, number), this.#stream.port, HOST);
  }

  #request(ref: string, number: number): string {
    const { domain, receiver, prefix, devices, kind } = this.#stream;
    const device = `${prefix}${number % devices}`;
    const type = kind === 'heartbeat' ? '<mty>PI</mty>' : '<stc>0010</stc>';
    const body = `<mrq><ref>${ref}</ref><cid>${device}</cid><dty>0003</dty>${type}</mrq>`;
    return (
      `MESSAGE sip:${receiver}@${domain} SIP/2.0\r\n` +
      `Via: SIP/2.0/UDP ${HOST}:${this.#port};${BRANCH}${ref};rport\r\n` +
      'Max-Forwards: 70\r\n' +
      `From: <sip:${device}@${domain}>;tag=${ref}\r\n` +
      `To: <sip:${receiver}@${domain}>\r\n` +
      `Call-ID: ${ref}@${HOST}\r\n` +
      'CSeq: 1 MESSAGE\r\n' +
      'Content-Type: application/scaip+xml\r\n' +
      `Content-Length: ${body.length}\r\n\r\n${body}`
    );
  }

  #receive(bytes: Buffer): void {
    const text = bytes.toString('latin1');
    if (text.startsWith('SIP/2.0 ')) this.#response(text);
    else this.#answer(text);
  }

  #response(text: string): void {
    const status = Number(text.slice(8, 11));
    if (status < 200) return;
    const ref = between(text, BRANCH, ';');
    if (status !== 200) {
      this.#refused++;
      this.#over(ref);
      return;
    }
    this.#answered++;
    if (this.#stream.kind === 'message') this.#over(ref);
  }

  /** The answer of the protocol, in a request of its own. */
  #answer(text: string): void {
    const ok = okTo(text);
    this.#socket.send(ok, this.#stream.port, HOST);
    this.#over(between(text, '<ref>', '<'));
  }

  #over(ref: string): void {
    if (!this.#inProgress.delete(ref)) {
      this.#repeated++;
      return;
    }
    this.#done++;
    this.#refill();
  }

  #refill(): void {
    while (this.#inProgress.size < this.#keep) this.#send();
  }

  /** A message that has been under way too long was lost; a map keeps the order of the sends. */
  #forget(): void {
    const oldest = process.hrtime.bigint() - GIVEN_UP_NS;
    for (const [ref, atNs] of this.#inProgress) {
      if (atNs > oldest) break;
      this.#inProgress.delete(ref);
      this.#refill();
    }
  }
}

function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start) + start.length;
  const to = text.indexOf(end, from);
  const line = text.indexOf('\r', from);
  return text.slice(from, line >= 0 && line < to ? line : to);
}
