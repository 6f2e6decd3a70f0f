/** The resources that one peer may use. Sizes in bytes, times in ms. */
export interface TransportLimits {
  /** Start-line and header fields together; without an end by then the connection is closed. */
  readonly headerBytes: number;
  readonly bodyBytes: number;
  /** From the first byte of a message to its last. Later bytes do not extend it, so dripping does not help. */
  readonly halfMessageMs: number;
  /** A connection that brings nothing; connections that a registration or a call lives on are exempt. */
  readonly idleMs: number;
  /** A WebSocket from which nothing came for so long is pinged, and given so long for any sign of life. */
  readonly webSocketPingMs: number;
  readonly webSocketPongMs: number;
  /** TCP connect and TLS handshake, both directions. */
  readonly handshakeMs: number;
  /** A peer that does not finish closing is cut after this. */
  readonly closeMs: number;
  readonly connections: number;
  readonly connectionsPerSource: number;
  /** Bytes a peer may leave unread before its connection is closed. */
  readonly writeQueueBytes: number;
  /** UDP flows remembered, so that the hot path makes no new ones. */
  readonly udpFlows: number;
  /** How often the time limits are looked at. */
  readonly sweepMs: number;
}

/** `sip.md` rule 4; a site may raise them. */
export const DEFAULT_LIMITS: TransportLimits = {
  headerBytes: 64 * 1024,
  bodyBytes: 256 * 1024,
  halfMessageMs: 10_000,
  idleMs: 600_000,
  webSocketPingMs: 30_000,
  webSocketPongMs: 10_000,
  handshakeMs: 10_000,
  closeMs: 2_000,
  connections: 20_000,
  connectionsPerSource: 1_000,
  writeQueueBytes: 1024 * 1024,
  udpFlows: 65_536,
  sweepMs: 1_000,
};
