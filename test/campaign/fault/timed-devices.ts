/**
 * Known devices whose alarms are timed, as a program of their own, so that whoever makes the load does not delay them. Reads
 * one `TimedLoad` as JSON from its first argument; writes one line `{…}` (`TimedAlarm`) for each alarm when it is
 * acknowledged or given up, and at the end `done`.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

export interface TimedLoad {
  /** `host:port` of SIP over UDP. */
  readonly to: string;
  readonly domain: string;
  readonly devices: readonly string[];
  /** Alarms per second in all. */
  readonly rate: number;
  readonly seconds: number;
  /** Begins each reference. */
  readonly name: string;
}

/** Epoch ms with fraction. */
export interface TimedAlarm {
  readonly reference: string;
  readonly sentMs: number;
  /** Undefined: given up. */
  readonly acknowledgedMs?: number;
}

/** RFC 3261 17.1.2: T1, doubled, and below T2. ms */
const [T1, T2] = [500, 4_000];
/** A device says its alarm again until then. ms */
const GIVES_UP_MS = 60_000;
/** Confirmed by SIP and without an answer: said again after this time. ms */
const ANSWER_WAIT_MS = 10_000;

const load = JSON.parse(process.argv[2] ?? '') as TimedLoad;
const [host = '', port = ''] = load.to.split(':');
const now = (): number => performance.timeOrigin + performance.now();

interface Open {
  readonly sentMs: number;
  readonly socket: Socket;
  readonly message: (turn: number) => string;
  turn: number;
  waitMs: number;
  dueMs: number;
}

const open = new Map<string, Open>();

function send(each: Open): void {
  each.socket.send(each.message(each.turn), Number(port), host);
  each.dueMs = now() + each.waitMs;
  each.waitMs *= 2;
  // A device that hears nothing says its alarm again as a new request: the appliance is to know it by its reference.
  if (each.waitMs < T2) return;
  each.turn++;
  each.waitMs = T1;
}

function raise(socket: Socket, device: string, reference: string): void {
  const { domain } = load;
  const at = socket.address();
  const body = `<mrq><ref>${reference}</ref><cid>${device}</cid><dty>0003</dty><stc>0010</stc></mrq>`;
  const message = (turn: number): string =>
    [
      `MESSAGE sip:scaip@${domain} SIP/2.0`,
      `Via: SIP/2.0/UDP ${at.address}:${at.port};branch=z9hG4bK${reference}-${turn};rport`,
      'Max-Forwards: 70',
      `From: <sip:${device}@${domain}>;tag=${reference}`,
      `To: <sip:scaip@${domain}>`,
      `Call-ID: ${reference}`,
      `CSeq: ${turn} MESSAGE`,
      'Content-Type: application/scaip+xml',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n');
  const each: Open = { sentMs: now(), socket, message, turn: 1, waitMs: T1, dueMs: 0 };
  open.set(reference, each);
  send(each);
}

function end(reference: string, acknowledgedMs: number | undefined): void {
  const each = open.get(reference);
  if (each === undefined) return;
  open.delete(reference);
  const said: TimedAlarm = { reference, sentMs: each.sentMs, ...(acknowledgedMs && { acknowledgedMs }) };
  process.stdout.write(`${JSON.stringify(said)}\n`);
}

function received(
  socket: Socket,
  text: string,
  from: { readonly address: string; readonly port: number },
): void {
  if (text.startsWith('SIP/2.0 ')) {
    const reference = /^Call-ID: (\S+)/im.exec(text)?.[1] ?? '';
    const each = open.get(reference);
    if (each === undefined) return;
    const isTaken = text.startsWith('SIP/2.0 2');
    // Taken, its answer follows; refused, it is said again as a new request.
    each.turn++;
    each.waitMs = T1;
    each.dueMs = now() + (isTaken ? ANSWER_WAIT_MS : T2);
    return;
  }
  const fields = text.split('\r\n\r\n')[0]?.split('\r\n').slice(1) ?? [];
  const kept = fields.filter((field) => /^(?:Via|From|To|Call-ID|CSeq):/i.test(field));
  socket.send(['SIP/2.0 200 OK', ...kept, 'Content-Length: 0', '', ''].join('\r\n'), from.port, from.address);
  const reference = /<ref>([^<]+)<\/ref>/.exec(text)?.[1] ?? '';
  if (text.includes('<snu>0</snu>')) end(reference, now());
}

const sockets = await Promise.all(
  load.devices.map(async () => {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    socket.on('message', (bytes, from) => received(socket, bytes.toString('latin1'), from));
    return socket;
  }),
);
const begunMs = now();
let raised = 0;
await new Promise<void>((resolve) => {
  const ticker = setInterval(() => {
    const nowMs = now();
    const due = Math.min(((nowMs - begunMs) / 1000) * load.rate, load.rate * load.seconds);
    for (; raised < due; raised++) {
      const index = raised % sockets.length;
      const [socket, device] = [sockets[index], load.devices[index]];
      if (socket !== undefined && device !== undefined) raise(socket, device, `${load.name}${raised}`);
    }
    for (const [reference, each] of open) {
      if (nowMs - each.sentMs > GIVES_UP_MS) end(reference, undefined);
      else if (nowMs >= each.dueMs) send(each);
    }
    if (raised < load.rate * load.seconds || open.size > 0) return;
    clearInterval(ticker);
    resolve();
  }, 5);
});
process.stdout.write('done\n');
process.exit(0);
