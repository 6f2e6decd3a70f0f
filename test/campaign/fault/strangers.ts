/**
 * Strangers, as a program of their own: one kind of message at a steady rate from twenty networks. Reads one `StrangerLoad` as
 * JSON from its first argument; writes one line of JSON (`StrangerCount`) at its end.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { get } from 'node:http';
import { get as getSecurely } from 'node:https';
import { connect } from 'node:tls';
import { WebSocket } from 'ws';
import { encodeFrame } from '#appliance/alarm/protocol/framed-ip/index.ts';

export type StrangerKind =
  | 'scaip'
  | 'register'
  | 'invite'
  | 'options'
  | 'garbage'
  | 'dc09'
  | 'tls'
  /** SIP over WebSocket: connections, each with alarms of strangers in its frames. */
  | 'websocket'
  /** Upgrades that nothing takes: other paths, another subprotocol, and streams of the control plane without a token. */
  | 'upgrade';

export interface StrangerLoad {
  readonly kind: StrangerKind;
  /** `host:port` of SIP over UDP. */
  readonly to: string;
  /** Ports of SIP over TLS and of DC-09, on the same address. */
  readonly sips: number;
  readonly dc09: number;
  /** Base URLs of the appliance's HTTPS and of the control plane. */
  readonly web: string;
  readonly api: string;
  readonly domain: string;
  /** Each second. */
  readonly rate: number;
  readonly seconds: number;
}

export interface StrangerCount {
  readonly sent: number;
  /** Answers by their first digit or token; of TLS: handshakes that came about; of WebSockets: `open`. */
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
  Record<Exclude<StrangerKind, keyof typeof CONNECTING>, (n: number, socket: Socket) => string | Uint8Array>
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

/** Frames of one WebSocket. */
const FRAMES = 10;

function handshake(): void {
  const tls = connect({ host, port: load.sips, rejectUnauthorized: false });
  tls.on('secureConnect', () => {
    count('handshake');
    tls.destroy();
  });
  tls.on('error', () => count('failed'));
}

function webSocket(n: number, socket: Socket): void {
  const url = new URL('/sip', load.web);
  url.protocol = 'wss:';
  const { address: localAddress } = socket.address();
  const phone = new WebSocket(url, 'sip', { rejectUnauthorized: false, localAddress });
  let left = FRAMES;
  phone.on('open', () => {
    count('open');
    for (let frame = 0; frame < FRAMES; frame++)
      phone.send(
        MESSAGE.scaip(n * FRAMES + frame, socket)
          .toString()
          .replace('SIP/2.0/UDP', 'SIP/2.0/WSS'),
      );
  });
  phone.on('message', (bytes) => {
    const status = /^SIP\/2\.0 (\d+)/.exec(String(bytes).slice(0, 60))?.[1];
    count(status ?? 'request');
    if (status !== undefined && --left === 0) phone.terminate();
  });
  phone.on('error', () => count('failed'));
}

/** In turn: a path that is not served, a subprotocol that is not SIP, a stream without a token. */
function upgrade(n: number, socket: Socket): void {
  const { address: localAddress } = socket.address();
  const targets = [
    new URL('/stream', load.web),
    new URL('/sip', load.web),
    new URL(`/site/${load.domain}/stream`, load.api),
  ];
  const url = targets[n % targets.length] ?? load.web;
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'c3RyYW5nZXIgc3RyYW5nZQ==',
    'Sec-WebSocket-Protocol': 'stranger',
  };
  const ask = new URL(url).protocol === 'https:' ? getSecurely : get;
  const asked = ask(url, { headers, localAddress, agent: false, rejectUnauthorized: false }, (answer) => {
    count(String(answer.statusCode));
    answer.resume();
  });
  asked.on('error', () => count('failed'));
}

const CONNECTING = { tls: handshake, websocket: webSocket, upgrade } as const;
const isConnecting = (kind: StrangerKind): kind is keyof typeof CONNECTING => kind in CONNECTING;

function one(n: number): void {
  const socket = sockets[n % sockets.length];
  if (socket === undefined) return;
  const { kind } = load;
  if (isConnecting(kind)) CONNECTING[kind](n, socket);
  else socket.send(MESSAGE[kind](n, socket), port, host);
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
