import { sameHost, type Via } from '../message/index.ts';

/** Way a message came or goes: two addresses and, for streams, the one connection between them. */
export interface Flow {
  readonly transport: 'UDP' | 'TCP' | 'TLS' | 'WS' | 'WSS';
  /** Retransmission timers run only where this is false. */
  readonly reliable: boolean;
  /** Addresses without brackets. */
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
  /** Number of the connection, unique while the process lives; 0 for UDP. */
  readonly connection: number;
}

const DEFAULT_PORT = 5060;

/** The host of `192.0.2.10:5060` or `[2001:db8::10]:5060`, without brackets. */
export const hostOf = (hostPort: string): string =>
  hostPort.startsWith('[')
    ? hostPort.slice(1, hostPort.indexOf(']'))
    : hostPort.slice(0, hostPort.lastIndexOf(':'));

/** The key of flows that fail together: one connection, or all that goes to one address over UDP. */
export const peerOf = (flow: Flow): string =>
  flow.connection === 0
    ? `${flow.transport} ${flow.remoteAddress} ${flow.remotePort}`
    : `connection ${flow.connection}`;

/**
 * Where the response to a request goes (RFC 3261 18.2.2, RFC 3581 4). Streams: the same connection. UDP with
 * rport: where it came from. UDP without: the source address at the port of sent-by.
 * Deviation: when sent-by names another address than the source, a NAT stands between and the port of sent-by
 * is that of its inside, so the source port is used. maddr is not followed: it would let a stranger aim answers.
 */
export function replyFlow(flow: Flow, via: Via): Flow {
  if (flow.transport !== 'UDP' || via.rport !== undefined) return flow;
  const port = via.port ?? DEFAULT_PORT;
  return port === flow.remotePort || !sameHost(via.host, flow.remoteAddress)
    ? flow
    : { ...flow, remotePort: port };
}
