export type Transport = 'UDP' | 'TCP' | 'TLS' | 'WS' | 'WSS';

/**
 * The way a message came and the way its answer goes back (RFC 5626 section 3: a flow is the 5-tuple).
 * Made by the transport; to everybody else a fact that is stored and compared, never built.
 */
export interface Flow {
  readonly transport: Transport;
  /** No retransmissions and no UDP timers (RFC 3261 17). */
  readonly reliable: boolean;
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
  /** Number of the connection, never used twice in one process; 0 for UDP. */
  readonly connection: number;
}
