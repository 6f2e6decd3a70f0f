import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Stream, StreamCount } from './load-setting.ts';

const MB = 1024 * 1024;
const HOST = '127.0.0.1';
const SDP =
  `v=0\r\no=- 1 1 IN IP4 ${HOST}\r\ns=-\r\nc=IN IP4 ${HOST}\r\nt=0 0\r\n` +
  'm=audio 40000 RTP/AVP 8 0 101\r\na=rtpmap:101 telephone-event/8000\r\na=fmtp:101 0-15\r\n';

/** One call: its dialog, once the 2xx has settled it. */
interface Call {
  readonly device: string;
  state: 'inviting' | 'cancelling' | 'up' | 'leaving';
  /** Request-URI, To and Route of what follows in the dialog. */
  target: string;
  to: string;
  routes: string;
}

/**
 * Calls from devices: INVITE with an offer, ACK, and BYE at once or when it is asked to drain; or CANCEL as soon as it
 * rings. Nothing is repeated: what gets lost counts as lost.
 */
export class CallStream {
  readonly #stream: Stream;
  readonly #socket: Socket;
  readonly #port: number;
  readonly #mark = process.hrtime.bigint().toString(36).slice(-6).toUpperCase();
  readonly #calls = new Map<string, Call>();
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
  #leaving = false;

  private constructor(stream: Stream, socket: Socket) {
    this.#stream = stream;
    this.#socket = socket;
    this.#port = socket.address().port;
    socket.on('message', (bytes: Buffer) => this.#receive(bytes.toString('latin1')));
  }

  static async open(stream: Stream): Promise<CallStream> {
    const socket = createSocket({
      type: 'udp4',
      recvBufferSize: 8 * MB,
      lookup: (host, _options, done) => done(null, host, 4),
    });
    const listening = once(socket, 'listening');
    socket.bind(0, HOST);
    await listening;
    return new CallStream(stream, socket);
  }

  pace(perSecond: number): void {
    this.#perSecond = perSecond;
    this.#paceStartMs = performance.now();
    this.#paceSent = 0;
    this.#paceMost = Number.POSITIVE_INFINITY;
    this.#leaving = false;
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
    this.#leaving = false;
    while (this.#calls.size < this.#keep) this.#begin();
  }

  /** Sends what is due by now, and says whether anything was. */
  tick(): boolean {
    if (this.#perSecond === 0) return false;
    const passedMs = performance.now() - this.#paceStartMs;
    const due = Math.min(this.#paceMost, Math.floor((passedMs * this.#perSecond) / 1000));
    if (this.#paceSent >= due) return false;
    const lateMs = passedMs - ((this.#paceSent + 1) * 1000) / this.#perSecond;
    this.#latenessMs = Math.max(this.#latenessMs, lateMs);
    for (; this.#paceSent < due; this.#paceSent++) this.#begin();
    return true;
  }

  count(): StreamCount {
    const latenessMs = this.#latenessMs;
    this.#latenessMs = 0;
    return {
      sent: this.#sent,
      answered: this.#answered,
      done: this.#done,
      refused: this.#refused,
      repeated: this.#repeated,
      inFlight: this.#calls.size,
      sentAt: [],
      latenessMs,
    };
  }

  /** Hangs up what stands. */
  async drained(withinMs: number): Promise<void> {
    this.#perSecond = 0;
    this.#keep = 0;
    this.#leaving = true;
    for (const [ref, call] of this.#calls) if (call.state === 'up') this.#leave(ref, call);
    const untilMs = performance.now() + withinMs;
    while (this.#calls.size > 0 && performance.now() < untilMs)
      await new Promise((resolve) => setTimeout(resolve, 20));
  }

  close(): void {
    this.#socket.close();
  }

  #begin(): void {
    const { domain, receiver, prefix, devices } = this.#stream;
    const number = this.#sent++;
    const ref = `${this.#mark}${number.toString(36).toUpperCase()}`;
    const target = `sip:${receiver}@${domain}`;
    const call: Call = {
      device: `${prefix}${number % devices}`,
      state: 'inviting',
      target,
      to: `To: <${target}>\r\n`,
      routes: '',
    };
    this.#calls.set(ref, call);
    this.#send('INVITE', ref, call, { branch: `i${ref}`, cseq: 1, sdp: SDP });
  }

  #send(
    method: string,
    ref: string,
    call: Call,
    { branch, cseq, sdp = '' }: { readonly branch: string; readonly cseq: number; readonly sdp?: string },
  ): void {
    const from = `<sip:${call.device}@${this.#stream.domain}>`;
    const described = sdp === '' ? '' : 'Content-Type: application/sdp\r\n';
    const text =
      `${method} ${call.target} SIP/2.0\r\n` +
      `Via: SIP/2.0/UDP ${HOST}:${this.#port};branch=z9hG4bK${branch};rport\r\n` +
      `${call.routes}Max-Forwards: 70\r\n` +
      `From: ${from};tag=${ref}\r\n` +
      call.to +
      `Call-ID: ${ref}@${HOST}\r\n` +
      `CSeq: ${cseq} ${method}\r\n` +
      `Contact: <sip:${call.device}@${HOST}:${this.#port}>\r\n` +
      `${described}Content-Length: ${sdp.length}\r\n\r\n${sdp}`;
    this.#socket.send(text, this.#stream.port, HOST);
  }

  #receive(text: string): void {
    if (!text.startsWith('SIP/2.0 ')) return;
    const status = Number(text.slice(8, 11));
    const ref = field(text, 'Call-ID').split('@')[0] ?? '';
    const method = field(text, 'CSeq').split(' ')[1];
    const call = this.#calls.get(ref);
    if (call === undefined) {
      if (status >= 200) this.#repeated++;
    } else if (method === 'INVITE') this.#invited(ref, call, status, text);
    else if (method === 'BYE' && status >= 200) this.#over(ref, status === 200);
  }

  #invited(ref: string, call: Call, status: number, text: string): void {
    if (status < 200) {
      if (status > 100 && this.#stream.cancels === true && call.state === 'inviting') {
        call.state = 'cancelling';
        this.#send('CANCEL', ref, call, { branch: `i${ref}`, cseq: 1 });
      }
      return;
    }
    if (status >= 300) {
      const { to } = call;
      call.to = `To: ${field(text, 'To')}\r\n`;
      this.#send('ACK', ref, call, { branch: `i${ref}`, cseq: 1 });
      call.to = to;
      this.#over(ref, call.state === 'cancelling' && status === 487);
      return;
    }
    const repeated = call.state === 'up' || call.state === 'leaving';
    if (repeated) this.#repeated++;
    else {
      call.target = /<([^>]+)>/.exec(field(text, 'Contact'))?.[1] ?? call.target;
      call.to = `To: ${field(text, 'To')}\r\n`;
      call.routes = routesOf(text);
      call.state = 'up';
      this.#answered++;
    }
    this.#send('ACK', ref, call, { branch: `a${ref}`, cseq: 1 });
    if (!repeated && (this.#stream.stays !== true || this.#leaving)) this.#leave(ref, call);
  }

  #leave(ref: string, call: Call): void {
    call.state = 'leaving';
    this.#send('BYE', ref, call, { branch: `b${ref}`, cseq: 2 });
  }

  #over(ref: string, asWished: boolean): void {
    this.#calls.delete(ref);
    if (asWished) this.#done++;
    else this.#refused++;
    while (this.#calls.size < this.#keep) this.#begin();
  }
}

/** First line of a field, as it stands. */
function field(text: string, name: string): string {
  const from = text.indexOf(`\r\n${name}: `);
  if (from < 0) return '';
  const start = from + name.length + 4;
  return text.slice(start, text.indexOf('\r\n', start));
}

/** The proxies of Record-Route, in the order of a request of ours. */
function routesOf(text: string): string {
  const lines = text.split('\r\n').filter((line) => line.startsWith('Record-Route: '));
  const routes = lines.flatMap((line) => line.slice(14).split(',')).reverse();
  return routes.map((route) => `Route: ${route.trim()}\r\n`).join('');
}
