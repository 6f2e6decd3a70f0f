import type { Failure, Result } from '#shared/result.ts';
import type { Flow } from '../../sip/endpoint/index.ts';
import type { FramingFault } from './framing/stream-framer.ts';
import type { TransportLimits } from './limits.ts';
import type { Upgrade } from './upgrade.ts';

type Transport = Flow['transport'];

export interface ListenAddress {
  /** IP literal. `0.0.0.0` and `::` are every address of their own family; list both for both. */
  readonly host: string;
  /** 0 takes a free one, see `bound`. */
  readonly port: number;
}

/**
 * PEM texts; `ca` are further authorities trusted beside those of the system. A listener needs certificate and
 * key; who merely connects may come without.
 */
export interface TlsCredentials {
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string | readonly string[];
  /** Shown to a server that asks for our certificate; absent: `cert` and `key`. */
  readonly client?: { readonly cert: string; readonly key: string };
}

export interface TransportOptions {
  readonly udp?: readonly ListenAddress[];
  readonly tcp?: readonly ListenAddress[];
  readonly tls?: readonly ListenAddress[];
  /** Asked at start, at every `reloadTls()` and for outgoing connections. Needed for `tls`. */
  readonly tlsCredentials?: () => TlsCredentials;
  readonly limits?: Partial<TransportLimits>;
  /** The advice about an address that cannot be bound; it follows the error text of the system. */
  readonly advice?: (transport: Transport, address: ListenAddress, code: string | undefined) => string;
  /** Monotonic ms: the `nowMs` of everything the sink gets. */
  readonly monoMs: () => number;
  readonly report?: (event: TransportEvent) => void;
}

export type CloseReason =
  | FramingFault
  /** The peer ended or reset it. */
  | 'peer'
  | 'halfMessageTimeout'
  | 'idle'
  /** The peer does not read what it is sent. */
  | 'congested'
  | 'shutdown';

/** Where everything that arrives goes. Called one at a time; must not throw. */
export interface TransportSink {
  /** One message as it stood on the wire. The bytes belong to the receiver. */
  message(flow: Flow, bytes: Buffer, nowMs: number): void;
  /** A connection is closed. Never called for UDP. */
  closed(flow: Flow, reason: CloseReason): void;
  /** A message that `send` took and could not send (RFC 3261 18.4: the transaction hears of it). */
  failed(flow: Flow, bytes: Uint8Array, failure: SendFailure): void;
  /** Does a registration or a call live on this connection, which has been silent for `idleMs`? Without it none does. */
  inUse?(flow: Flow): boolean;
}

export type SendFailure = Failure<'Unreachable' | 'Congested'>;
export type ConnectFailure = Failure<'Unreachable' | 'IdentityRefused' | 'NoCredentials' | 'Closed'>;

export interface ConnectOptions {
  /** The SIP domain the certificate must speak for (RFC 5922 7.1); default: `host`. */
  readonly domain?: string;
  /** Accept any certificate: the peer is known by other means. */
  readonly trust?: boolean;
  /** A connection that is new may take so long, ms, and no longer than every handshake. */
  readonly withinMs?: number;
}

/** An event that an operator may want to know. The transport never logs. */
export type TransportEvent =
  | { readonly kind: 'refused'; readonly remoteAddress: string; readonly limit: 'source' | 'total' }
  | { readonly kind: 'closed'; readonly flow: Flow; readonly reason: CloseReason }
  | { readonly kind: 'tlsFailed'; readonly remoteAddress: string; readonly reason: string }
  | { readonly kind: 'tlsReload'; readonly failure?: string }
  /** The kernel gave less than asked (`net.core.rmem_max`): bursts may be lost. */
  | { readonly kind: 'receiveBuffer'; readonly wantedBytes: number; readonly givenBytes: number }
  /** More datagrams came than could be handled: so many were dropped, and their senders repeat them. */
  | { readonly kind: 'overloaded'; readonly dropped: number }
  | { readonly kind: 'socketError'; readonly transport: Transport; readonly reason: string };

export interface SipTransport {
  /** The addresses in use, with the real ports. */
  readonly bound: readonly (ListenAddress & { readonly transport: Transport })[];
  /**
   * Sends one message over the flow. A connection that we had opened and that is closed is opened again; one that
   * the peer had opened cannot be: `Unreachable`, and the caller goes on with RFC 3261 18.2.2 by `connect`.
   */
  send(flow: Flow, bytes: Uint8Array): Result<void, SendFailure>;
  /** A flow to this address or name (brackets around IPv6 or not); an open connection to the same host, port and identity is used again. */
  connect(
    transport: 'UDP' | 'TCP' | 'TLS',
    host: string,
    port: number,
    options?: ConnectOptions,
  ): Promise<Result<Flow, ConnectFailure>>;
  /** Opens a further TLS listener, once there are credentials. Rejects with the address in the message. */
  listenTls(address: ListenAddress): Promise<void>;
  /** Takes an HTTP upgrade over: SIP over WebSocket from here on, or refused. */
  upgrade(upgrade: Upgrade): void;
  /** Reads the credentials again; running connections keep theirs. A wrong file keeps the old and is reported. */
  reloadTls(): void;
  /** Ends every connection, waits for them at most `closeMs`. */
  close(): Promise<void>;
}
