import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Flow } from '../../sip/endpoint/index.ts';
import type { Connection } from './connection.ts';
import type { TransportLimits } from './limits.ts';
import { plainAddress } from './own-address.ts';
import type { TransportEvent, TransportSink } from './sip-transport.ts';
import { StreamConnection } from './stream-connection.ts';
import { WebSocketConnection } from './web-socket-connection.ts';

/** Every connection by its number, how many each source has, and the end of them all. */
export class ConnectionTable {
  readonly #limits: TransportLimits;
  readonly #monoMs: () => number;
  readonly #sink: TransportSink;
  readonly #report: (event: TransportEvent) => void;
  readonly #byNumber = new Map<number, Connection>();
  readonly #bySource = new Map<string, number>();
  /** Accepted sockets from the first packet on, so that half-made handshakes are counted and closed too. */
  readonly #accepted = new Set<Socket>();
  #lastNumber = 0;
  #emptied: (() => void) | undefined;

  constructor(
    limits: TransportLimits,
    monoMs: () => number,
    sink: TransportSink,
    report: (event: TransportEvent) => void,
  ) {
    this.#limits = limits;
    this.#monoMs = monoMs;
    this.#sink = sink;
    this.#report = report;
  }

  /** Counts a socket that just arrived, before its handshake; or closes it when a limit is reached: false. */
  admit(socket: Socket): boolean {
    if (socket.remoteAddress === undefined) {
      socket.destroy();
      return false;
    }
    const source = plainAddress(socket.remoteAddress);
    const count = this.#bySource.get(source) ?? 0;
    const full = count >= this.#limits.connectionsPerSource;
    if (full || this.#accepted.size >= this.#limits.connections) {
      this.#report({ kind: 'refused', remoteAddress: source, limit: full ? 'source' : 'total' });
      socket.on('error', () => undefined);
      socket.destroy();
      return false;
    }
    this.#bySource.set(source, count + 1);
    this.#accepted.add(socket);
    socket.once('close', () => {
      const left = (this.#bySource.get(source) ?? 1) - 1;
      if (left > 0) this.#bySource.set(source, left);
      else this.#bySource.delete(source);
      this.#accepted.delete(socket);
      this.#checkEmpty();
    });
    return true;
  }

  /** Makes a connection of a socket that is ready to carry messages; nothing if it or the table is at its end. */
  adopt(
    transport: 'TCP' | 'TLS',
    socket: Socket,
    onClose: () => void = () => undefined,
  ): Connection | undefined {
    const flow = this.#flow(transport, socket);
    if (flow === undefined) return undefined;
    return this.#enter(new StreamConnection(flow, socket, this.#limits, this.#monoMs, this.#sink), onClose);
  }

  /** The same for a WebSocket over `socket`; what runs over TLS is WSS. */
  adoptWebSocket(webSocket: WebSocket, socket: Socket): void {
    const flow = this.#flow('encrypted' in socket ? 'WSS' : 'WS', socket);
    if (flow === undefined) return;
    this.#enter(
      new WebSocketConnection(flow, webSocket, this.#limits, this.#monoMs, this.#sink),
      () => undefined,
    );
  }

  #flow(transport: Flow['transport'], socket: Socket): Flow | undefined {
    if (socket.destroyed || socket.remoteAddress === undefined || this.#emptied !== undefined) {
      socket.destroy();
      return undefined;
    }
    return Object.freeze({
      transport,
      reliable: true,
      localAddress: plainAddress(socket.localAddress ?? ''),
      localPort: socket.localPort ?? 0,
      remoteAddress: plainAddress(socket.remoteAddress),
      remotePort: socket.remotePort ?? 0,
      connection: ++this.#lastNumber,
    });
  }

  #enter(connection: Connection, onClose: () => void): Connection {
    const { flow } = connection;
    this.#byNumber.set(flow.connection, connection);
    connection.start((reason) => {
      this.#byNumber.delete(flow.connection);
      onClose();
      this.#report({ kind: 'closed', flow, reason });
      this.#checkEmpty();
    });
    return connection;
  }

  get(number: number): Connection | undefined {
    return this.#byNumber.get(number);
  }

  sweep(): void {
    const nowMs = this.#monoMs();
    for (const connection of this.#byNumber.values()) connection.sweep(nowMs);
  }

  /** Ends every connection; resolves when the last one is closed, after at most `closeMs`. */
  async close(): Promise<void> {
    const adopted = [...this.#byNumber.values()];
    for (const connection of adopted) connection.end('shutdown');
    const cut = setTimeout(() => {
      for (const connection of adopted) connection.cut('shutdown');
      for (const socket of this.#accepted) socket.destroy();
    }, this.#limits.closeMs);
    await new Promise<void>((resolve) => {
      this.#emptied = resolve;
      this.#checkEmpty();
    });
    clearTimeout(cut);
  }

  #checkEmpty(): void {
    if (this.#byNumber.size === 0 && this.#accepted.size === 0) this.#emptied?.();
  }
}
