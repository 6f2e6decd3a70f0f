import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { fail, ok, type Result } from '#shared/result.ts';
import type { Flow } from '../../sip/endpoint/index.ts';
import { Backlog } from './datagram/backlog.ts';
import type { TransportLimits } from './limits.ts';
import type { ListenAddress, SendFailure, TransportEvent, TransportSink } from './sip-transport.ts';
import { isStun, stunBinding } from './stun-binding.ts';

const RECEIVE_BYTES = 4 * 1024 * 1024;
const EMPTY = new Uint8Array(0);
/** Chosen: so many datagrams are handled as they come in a turn of the loop; those behind them wait, for the kernel has more. */
const AT_ONCE = 8;
/**
 * Chosen: a datagram that comes this long after the one before it was handled comes in another turn, ms. Those that the kernel
 * gives in one reading follow each other within microseconds. A turn that ends in this way needs no callback of the loop.
 */
const APART_MS = 0.2;
/** Chosen: waiting datagrams are handled so long in a turn of the loop, ms; then the kernel is read again. */
const SLICE_MS = 5;
/** Chosen: while a host does not follow, what it dropped is reported so often, ms. */
const REPORT_MS = 10_000;

/** One remote: its flow with the completion of its sends, made once so that a send allocates neither and looks for nothing. */
class Remote implements Flow {
  readonly transport = 'UDP';
  readonly reliable = false;
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly connection = 0;
  readonly #sent: (error: Error | null) => void;
  #lastBytes: Uint8Array = EMPTY;

  constructor(bound: ListenAddress, address: string, port: number, sink: TransportSink) {
    this.localAddress = bound.host;
    this.localPort = bound.port;
    this.remoteAddress = address;
    this.remotePort = port;
    this.#sent = (error) => {
      if (error !== null) sink.failed(this, this.#lastBytes, unreachable(error));
    };
  }

  send(socket: Socket, bytes: Uint8Array): void {
    this.#lastBytes = bytes;
    socket.send(bytes, this.remotePort, this.remoteAddress, this.#sent);
  }
}

export interface UdpSocket {
  readonly bound: ListenAddress;
  readonly ipv6: boolean;
  flowTo(address: string, port: number): Flow;
  send(flow: Flow, bytes: Uint8Array): Result<void, SendFailure>;
  close(): Promise<void>;
}

/**
 * One UDP listener. Flows are remembered in two generations: when the young one is full it becomes the old one
 * and the unused flows of the old one are forgotten. Bounded without a list to maintain per packet.
 */
export async function openUdpSocket(
  listen: ListenAddress,
  limits: TransportLimits,
  monoMs: () => number,
  sink: TransportSink,
  report: (event: TransportEvent) => void,
): Promise<UdpSocket> {
  const ipv6 = isIPv6(listen.host);
  const socket = createSocket({
    type: ipv6 ? 'udp6' : 'udp4',
    ipv6Only: ipv6,
    recvBufferSize: RECEIVE_BYTES,
    // Only literals are sent to: answering at once keeps Node from deferring each datagram to another tick.
    lookup: (host, _options, done) => done(null, host, ipv6 ? 6 : 4),
  });
  // Asked for before binding: with the lookup above the event comes while `bind` still runs.
  const listening = once(socket, 'listening');
  socket.bind({ port: listen.port, address: listen.host });
  await listening;
  socket.on('error', (error) => report({ kind: 'socketError', transport: 'UDP', reason: error.message }));
  reportBuffer(socket, report);

  const bound = { host: socket.address().address, port: socket.address().port };
  let young = new Map<string, Remote>();
  let old = new Map<string, Remote>();

  function remote(address: string, port: number): Remote {
    const key = `${address} ${port}`;
    let entry = young.get(key);
    if (entry !== undefined) return entry;
    entry = old.get(key) ?? new Remote(bound, address, port, sink);
    if (young.size >= limits.udpFlows / 2) {
      old = young;
      young = new Map();
    }
    young.set(key, entry);
    return entry;
  }

  const backlog = new Backlog<Remote>();
  /** Datagrams that were handled as they came since the loop came round; `AT_ONCE` while others wait. */
  let inTurn = 0;
  let handledMs = 0;
  let dropped = 0;
  let reportedMs = 0;
  function turnOver(): void {
    let nowMs = monoMs();
    const endMs = nowMs + SLICE_MS;
    try {
      for (let next = backlog.next(); next !== undefined; next = nowMs < endMs ? backlog.next() : undefined) {
        sink.message(next.remote, next.bytes, nowMs);
        nowMs = monoMs();
      }
    } finally {
      const isBehind = backlog.size > 0;
      inTurn = isBehind ? AT_ONCE : 0;
      if (isBehind) setImmediate(turnOver);
      if (dropped > 0 && (!isBehind || nowMs - reportedMs >= REPORT_MS)) {
        report({ kind: 'overloaded', dropped });
        dropped = 0;
        reportedMs = nowMs;
      }
    }
  }

  socket.on('message', (bytes: Buffer, from: RemoteInfo) => {
    if (from.port === 0 || isKeepAlive(bytes)) return;
    if (isStun(bytes)) {
      const answer = stunBinding(bytes, from.address, from.port);
      if (answer !== undefined) socket.send(answer, from.port, from.address);
      return;
    }
    const flow = remote(from.address, from.port);
    if (inTurn < AT_ONCE) {
      const nowMs = monoMs();
      inTurn = nowMs - handledMs > APART_MS ? 1 : inTurn + 1;
      if (inTurn === AT_ONCE) setImmediate(turnOver);
      sink.message(flow, bytes, nowMs);
      handledMs = monoMs();
    } else if (!backlog.add(`${from.address} ${from.port}`, { remote: flow, bytes })) dropped++;
  });

  let closed = false;
  return {
    bound,
    ipv6,
    flowTo: remote,
    send(flow, bytes) {
      if (closed) return fail('Unreachable', 'the UDP socket is closed');
      const known = flow instanceof Remote ? flow : remote(flow.remoteAddress, flow.remotePort);
      known.send(socket, bytes);
      return SENT;
    },
    async close() {
      if (closed) return;
      closed = true;
      backlog.clear();
      const whenClosed = once(socket, 'close');
      socket.close();
      await whenClosed;
    },
  };
}

const SENT: Result<void, SendFailure> = ok(undefined);

const unreachable = (error: Error): SendFailure => ({ code: 'Unreachable', reason: error.message });

/** Line ends and zero bytes keep a NAT binding open; they want no answer over UDP. */
function isKeepAlive(bytes: Buffer): boolean {
  if (bytes.length > 8) return false;
  for (const byte of bytes) if (byte !== 13 && byte !== 10 && byte !== 0) return false;
  return true;
}

function reportBuffer(socket: Socket, report: (event: TransportEvent) => void): void {
  // Linux doubles what it grants and reports the doubled figure.
  const givenBytes = socket.getRecvBufferSize() / 2;
  if (givenBytes < RECEIVE_BYTES) report({ kind: 'receiveBuffer', wantedBytes: RECEIVE_BYTES, givenBytes });
}
