import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** The INVITE of a recording client. */
export interface ReceivedInvite {
  /** Names in lower case; the first of several. */
  readonly headers: ReadonlyMap<string, string>;
  readonly sdp: string;
  readonly metadata: string;
}

/** Not the address of the appliance: the party that is called there is another one. */
const HOST = '127.0.0.9';
/** Ten seconds of each stream are kept. */
const MOST_SAMPLES = 80_000;

/**
 * A recording server (RFC 7866) of bare sockets: takes every session, hears each of its streams as A-law on a port of its own,
 * and keeps the metadata. Nothing of the appliance is in it.
 */
export class SiprecEar {
  readonly invites: ReceivedInvite[] = [];
  /** Metadata that followed by UPDATE. */
  readonly updates: string[] = [];
  /** Samples of each stream, in the order of the description, the newest last. */
  readonly streams: number[][] = [];
  byes = 0;
  readonly #sip: Socket;
  readonly #ears: Socket[] = [];

  private constructor(sip: Socket) {
    this.#sip = sip;
    sip.on('message', (bytes, from) => void this.#request(bytes.toString('latin1'), from));
  }

  static async open(): Promise<SiprecEar> {
    const sip = await bound();
    return new SiprecEar(sip);
  }

  /** To be sent on to. */
  get address(): string {
    return `sip:archive@${HOST}:${this.#sip.address().port}`;
  }

  /** The last quarter of a second of a stream. */
  received(stream: number): Int16Array {
    return Int16Array.from((this.streams[stream] ?? []).slice(-2_000));
  }

  close(): void {
    for (const socket of [this.#sip, ...this.#ears]) socket.close();
  }

  async #request(text: string, from: RemoteInfo): Promise<void> {
    const end = text.indexOf('\r\n\r\n');
    const [first = '', ...lines] = text.slice(0, end).split('\r\n');
    const body = text.slice(end + 4);
    const [method = ''] = first.split(' ');
    if (method === 'ACK' || method.startsWith('SIP/')) return;
    const headers = new Map<string, string>();
    for (const line of lines) {
      const colon = line.indexOf(':');
      const name = line.slice(0, colon).trim().toLowerCase();
      if (!headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
    }
    if (method === 'UPDATE') this.updates.push(body);
    if (method === 'BYE') this.byes++;
    const answer = method === 'INVITE' ? await this.#invited(headers, body) : undefined;
    const to = headers.get('to') ?? '';
    const fields = [
      ...lines.filter((line) => /^(via|from|call-id|cseq):/i.test(line)),
      `To: ${to.includes(';tag=') ? to : `${to};tag=ear`}`,
      `Contact: <${this.address}>;+sip.srs`,
      'Allow: INVITE, ACK, BYE, CANCEL, UPDATE, OPTIONS',
      ...(answer === undefined ? [] : ['Content-Type: application/sdp']),
      `Content-Length: ${answer?.length ?? 0}`,
    ];
    const said = `SIP/2.0 200 OK\r\n${fields.join('\r\n')}\r\n\r\n${answer ?? ''}`;
    this.#sip.send(said, from.port, from.address);
  }

  async #invited(headers: ReadonlyMap<string, string>, body: string): Promise<string> {
    const [, boundary = ''] = /boundary="?([^";]+)/.exec(headers.get('content-type') ?? '') ?? [];
    const parts = body.split(`--${boundary}`).map((part) => part.replace(/^\r\n/, ''));
    const contentOf = (type: string): string => {
      const part = parts.find((each) => each.toLowerCase().startsWith(`content-type: ${type}`)) ?? '';
      return part.slice(part.indexOf('\r\n\r\n') + 4).replace(/\r\n$/, '');
    };
    const sdp = contentOf('application/sdp');
    this.invites.push({ headers, sdp, metadata: contentOf('application/rs-metadata+xml') });
    const ports: number[] = [];
    for (const _ of sdp.match(/^m=audio/gm) ?? []) {
      const stream: number[] = [];
      this.streams.push(stream);
      const ear = await bound();
      this.#ears.push(ear);
      ear.on('message', (packet) => {
        if ((packet[1] ?? 0) % 128 !== 8) return;
        for (const code of packet.subarray(12)) stream.push(linear(code));
        stream.splice(0, stream.length - MOST_SAMPLES);
      });
      ports.push(ear.address().port);
    }
    const media = ports.map((port) => `m=audio ${port} RTP/AVP 8\r\na=recvonly\r\n`);
    return `v=0\r\no=- 1 1 IN IP4 ${HOST}\r\ns=-\r\nc=IN IP4 ${HOST}\r\nt=0 0\r\n${media.join('')}`;
  }
}

async function bound(): Promise<Socket> {
  const socket = createSocket('udp4');
  const listening = once(socket, 'listening');
  socket.bind(0, HOST);
  await listening;
  return socket;
}

/** A-law (ITU-T G.711), one code. */
function linear(code: number): number {
  const bits = code ^ 0x55;
  const segment = (bits & 0x70) >> 4;
  const step = ((bits & 0x0f) << 4) + (segment === 0 ? 8 : 0x108);
  const level = segment > 1 ? step << (segment - 1) : step;
  return (bits & 0x80) === 0 ? -level : level;
}
