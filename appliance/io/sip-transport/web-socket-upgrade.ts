import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { ConnectionTable } from './connection-table.ts';
import type { TransportLimits } from './limits.ts';
import type { Upgrade } from './upgrade.ts';

/**
 * Turns upgrades into SIP connections (RFC 7118 4.1). The subprotocol `sip` is a must; the origin is not looked at,
 * because nothing is granted to a page: who calls shows a token of its own (RFC 8898).
 */
export class WebSocketUpgrade {
  readonly #table: ConnectionTable;
  readonly #server: WebSocketServer;

  constructor(table: ConnectionTable, limits: TransportLimits) {
    this.#table = table;
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      // Compression would cost a window of memory per phone and lets a small frame become a large message.
      perMessageDeflate: false,
      maxPayload: limits.headerBytes + limits.bodyBytes,
      handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
    });
  }

  take({ request, socket, head }: Upgrade): void {
    const offered = request.headers['sec-websocket-protocol'] ?? '';
    if (!offered.split(',').some((name) => name.trim() === SUBPROTOCOL)) {
      refuse(socket, '400 Bad Request', 'SIP over WebSocket needs the subprotocol "sip" (RFC 7118)');
      return;
    }
    const raw = socket as Socket;
    if (!this.#table.admit(raw)) return;
    this.#server.handleUpgrade(request, raw, head, (opened) => this.#table.adoptWebSocket(opened, raw));
  }
}

const SUBPROTOCOL = 'sip';

/** An upgrade is answered by hand: no request comes to the HTTP listener for it. */
export function refuse(socket: Duplex, status: string, reason: string): void {
  socket.on('error', () => undefined);
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(reason)}\r\n\r\n${reason}`,
  );
}
