/**
 * Strangers, as a program of their own: one kind of message at a steady rate from twenty networks. Reads one `StrangerLoad` as
 * JSON from its first argument; writes one line of JSON (`StrangerCount`) at its end.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { encodeFrame } from '#appliance/alarm/protocol/framed-ip/index.ts';

export type StrangerKind = 'scaip' | 'register' | 'invite' | 'options' | 'garbage' | 'dc09' | 'tls';

export interface StrangerLoad {
  readonly kind: StrangerKind;
  /** `host:port` of SIP over UDP. */
  readonly to: string;
  /** Ports of SIP over TLS and of DC-09, on the same address. */
  readonly sips: number;
  readonly dc09: number;
  readonly domain: string;
  /** Each second. */
  readonly rate: number;
  readonly seconds: number;
}

export interface StrangerCount {
  readonly sent: number;
  /** Answers by their first digit or token; of TLS: handshakes that came about. */
  readonly answers: Readonly<Record<string, number>>;
}

const NETWORKS = 20;
const load = JSON.parse(process.argv[2] ?? '') as StrangerLoad;
const [host = '', sipPort = ''] = load.to.split(':');
const port = load.kind === 'dc09' ? load.dc09 : Number(sipPort);
const answers: Record<string, number> = {};
const count = (what: string): void => {
  answers[what] = (answers[what] ?? 0) + 1;
};

const sockets: Socket[] = await Promise.all(
  Array.from({ length: NETWORKS }, async (_, network) => {
    const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20 });
    socket.bind(0, `127.0.${network + 1}.1`);
    await once(socket, 'listening');
    socket.on('message', (bytes) => {
      const text = bytes.toString('latin1', 0, 60);
      count(/^SIP\/2\.0 (\d+)/.exec(text)?.[1] ?? /"(ACK|NAK|DUH)"/.exec(text)?.[1] ?? 'request');
    });
    return socket;
  }),
);

function sip(method: string, n: number, socket: Socket, body = ''): string {
  const { domain } = load;
  const at = socket.address();
  const user = `stranger${n}`;
  const uri = method === 'REGISTER' ? `sip:${domain}` : `sip:scaip@${domain}`;
  const type = body === '' ? [] : ['Content-Type: application/scaip+xml'];
  return [
    `${method} ${uri} SIP/2.0`,
    `Via: SIP/2.0/UDP ${at.address}:${at.port};branch=z9hG4bKstranger${n};rport`,
    'Max-Forwards: 70',
    `From: <sip:${user}@${domain}>;tag=${n}`,
    `To: <${method === 'REGISTER' ? `sip:${user}@${domain}` : uri}>`,
    `Call-ID: stranger-${n}`,
    `CSeq: 1 ${method}`,
    `Contact: <sip:${user}@${at.address}:${at.port}>`,
    ...type,
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

const MESSAGE: Readonly<
  Record<Exclude<StrangerKind, 'tls'>, (n: number, socket: Socket) => string | Uint8Array>
> = {
  scaip: (n, socket) =>
    sip(
      'MESSAGE',
      n,
      socket,
      `<mrq><ref>S${n}</ref><cid>stranger${n}</cid><dty>0003</dty><stc>0010</stc></mrq>`,
    ),
  register: (n, socket) => sip('REGISTER', n, socket),
  invite: (n, socket) => sip('INVITE', n, socket),
  options: (n, socket) => sip('OPTIONS', n, socket),
  garbage: (n) => Buffer.from(`\x00\xff${'x'.repeat(n % 900)}\r\n\r\n`, 'latin1'),
  dc09: (n) => encodeFrame(Buffer.from(`"SIA-DCS"0001L0#9${n}[#9${n}|NBA12]`, 'latin1')),
};

function one(n: number): void {
  const socket = sockets[n % sockets.length];
  if (socket === undefined) return;
  if (load.kind === 'tls') {
    const tls = connect({ host, port: load.sips, rejectUnauthorized: false });
    tls.on('secureConnect', () => {
      count('handshake');
      tls.destroy();
    });
    tls.on('error', () => count('failed'));
    return;
  }
  socket.send(MESSAGE[load.kind](n, socket), port, host);
}

const begunMs = performance.now();
let sent = 0;
await new Promise<void>((resolve) => {
  const ticker = setInterval(() => {
    const wanted = load.rate * load.seconds;
    const due = Math.min(((performance.now() - begunMs) / 1000) * load.rate, wanted);
    for (; sent < due; sent++) one(sent);
    if (sent < wanted) return;
    clearInterval(ticker);
    setTimeout(resolve, 500);
  }, 10);
});
process.stdout.write(`${JSON.stringify({ sent, answers } satisfies StrangerCount)}\n`);
process.exit(0);
