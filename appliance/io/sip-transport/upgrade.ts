import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** An HTTP request that wants to become a WebSocket, as Node's `upgrade` event gives it. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}
