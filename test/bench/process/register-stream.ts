import { createHash } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Stream, StreamCount } from './load-setting.ts';

const MB = 1024 * 1024;
const HOST = '127.0.0.1';
const BRANCH = 'branch=z9hG4bK';
const PASSWORD = 'secret';

interface InProgress {
  readonly device: number;
  readonly challenged: boolean;
}

/**
 * Devices that register with digest, each by two requests: the one that is challenged, and the one that answers. Nothing
 * is repeated: what gets lost counts as lost.
 */
export class RegisterStream {
  readonly #stream: Stream;
  readonly #socket: Socket;
  readonly #port: number;
  readonly #mark = process.hrtime.bigint().toString(36).slice(-6).toUpperCase();
  readonly #inProgress = new Map<string, InProgress>();
  readonly #ha1 = new Map<number, string>();
  readonly #sequences = new Map<number, number>();
  #sent = 0;
  #requests = 0;
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
    socket.on('message', (bytes: Buffer) => this.#response(bytes.toString('latin1')));
  }

  static async open(stream: Stream): Promise<RegisterStream> {
    const socket = createSocket({
      type: 'udp4',
      recvBufferSize: 8 * MB,
      lookup: (host, _options, done) => done(null, host, 4),
    });
    const listening = once(socket, 'listening');
    socket.bind(0, HOST);
    await listening;
    return new RegisterStream(stream, socket);
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
    while (this.#inProgress.size < this.#keep) this.#begin();
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
      answered: this.#done,
      done: this.#done,
      refused: this.#refused,
      repeated: this.#repeated,
      inFlight: this.#inProgress.size,
      sentAt: [],
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

  #begin(): void {
    this.#request(this.#sent++ % this.#stream.devices, undefined);
  }

  #request(device: number, challenge: string | undefined): void {
    const { domain, prefix, port } = this.#stream;
    const name = `${prefix}${device}`;
    const branch = `${this.#mark}${(this.#requests++).toString(36).toUpperCase()}`;
    const sequence = (this.#sequences.get(device) ?? 0) + 1;
    this.#sequences.set(device, sequence);
    this.#inProgress.set(branch, { device, challenged: challenge !== undefined });
    const authorization = challenge === undefined ? '' : this.#authorization(device, name, challenge);
    const text =
      `REGISTER sip:${domain} SIP/2.0\r\n` +
      `Via: SIP/2.0/UDP ${HOST}:${this.#port};${BRANCH}${branch};rport\r\n` +
      'Max-Forwards: 70\r\n' +
      `From: <sip:${name}@${domain}>;tag=${branch}\r\n` +
      `To: <sip:${name}@${domain}>\r\n` +
      `Call-ID: ${this.#mark}${name}@${HOST}\r\n` +
      `CSeq: ${sequence} REGISTER\r\n` +
      `Contact: <sip:${name}@${HOST}:${this.#port}>\r\n` +
      'Expires: 3600\r\n' +
      `${authorization}Content-Length: 0\r\n\r\n`;
    this.#socket.send(text, port, HOST);
  }

  #authorization(device: number, name: string, challenge: string): string {
    const { domain } = this.#stream;
    const realm = quoted(challenge, 'realm');
    const nonce = quoted(challenge, 'nonce');
    let ha1 = this.#ha1.get(device);
    if (ha1 === undefined) {
      ha1 = md5(`${name}:${realm}:${PASSWORD}`);
      this.#ha1.set(device, ha1);
    }
    const uri = `sip:${domain}`;
    const ha2 = md5(`REGISTER:${uri}`);
    const qop = challenge.includes('qop=');
    const rest = qop ? `${nonce}:00000001:${this.#mark}:auth:${ha2}` : `${nonce}:${ha2}`;
    const counted = qop ? `, qop=auth, nc=00000001, cnonce="${this.#mark}"` : '';
    return (
      `Authorization: Digest username="${name}", realm="${realm}", nonce="${nonce}", uri="${uri}", ` +
      `response="${md5(`${ha1}:${rest}`)}", algorithm=MD5${counted}\r\n`
    );
  }

  #response(text: string): void {
    const status = Number(text.slice(8, 11));
    if (status < 200) return;
    const from = text.indexOf(BRANCH) + BRANCH.length;
    const branch = text.slice(from, text.indexOf(';', from));
    const known = this.#inProgress.get(branch);
    if (known === undefined) {
      this.#repeated++;
      return;
    }
    this.#inProgress.delete(branch);
    const challenge = status === 401 && !known.challenged ? md5Challenge(text) : undefined;
    if (challenge !== undefined) {
      this.#request(known.device, challenge);
      return;
    }
    if (status === 200) this.#done++;
    else this.#refused++;
    while (this.#inProgress.size < this.#keep) this.#begin();
  }
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** The challenge this generator answers; one without an algorithm means MD5. */
const md5Challenge = (text: string): string | undefined =>
  text
    .split('\r\n')
    .find(
      (line) => /^www-authenticate:/i.test(line) && (!/algorithm=/i.test(line) || /=\s*"?MD5\b/i.test(line)),
    );

const quoted = (challenge: string, name: string): string =>
  new RegExp(`${name}="([^"]*)"`).exec(challenge)?.[1] ?? '';
