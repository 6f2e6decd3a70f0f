import { isIPv6 } from 'node:net';
import { fail, type Result } from '#shared/result.ts';
import type { Flow } from '../../sip/endpoint/index.ts';
import type { Hop } from '../../sip/location/index.ts';
import { openSipTransport } from './open-sip-transport.ts';
import type {
  ConnectFailure,
  ListenAddress,
  SipTransport,
  TlsCredentials,
  TransportOptions,
  TransportSink,
} from './sip-transport.ts';
import type { Upgrade } from './web-socket-door.ts';

export type NetworkOptions = Pick<TransportOptions, 'monoMs' | 'report' | 'limits'> & {
  /** PEM of further authorities for outgoing TLS, until `secure` brings credentials of our own. */
  readonly trust?: readonly string[];
};

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/**
 * All SIP of the appliance: UDP, TCP and WebSocket from the start, the TLS listener as soon as there is a certificate,
 * which for a new host is after its enrolment. One transport, because flows are told apart by connection numbers.
 */
export class SipNetwork {
  readonly #sink: TransportSink;
  readonly #options: NetworkOptions;
  #credentials: () => TlsCredentials;
  /** A certificate may come before the plain listeners are open. */
  readonly #opened = Promise.withResolvers<SipTransport>();
  #transport: SipTransport | undefined;

  constructor(sink: TransportSink, options: NetworkOptions) {
    this.#sink = sink;
    this.#options = options;
    this.#credentials = () => (options.trust === undefined ? {} : { ca: options.trust });
  }

  /** Rejects with the address in the message when it cannot be had. */
  async open(udp: ListenAddress | undefined, tcp: ListenAddress | undefined): Promise<void> {
    const { monoMs, report, limits } = this.#options;
    this.#transport = await openSipTransport(
      {
        monoMs,
        ...(report && { report }),
        ...(limits && { limits }),
        ...(udp && { udp: [udp] }),
        ...(tcp && { tcp: [tcp] }),
        tlsCredentials: () => this.#credentials(),
      },
      this.#sink,
    );
    this.#opened.resolve(this.#transport);
  }

  /** Opens the TLS listener behind `open`, or lets an open one read its certificate again; connections of ours show it, too. */
  async secure(tls: ListenAddress | undefined, credentials: () => TlsCredentials): Promise<void> {
    this.#credentials = credentials;
    if (tls === undefined) return;
    const transport = await this.#opened.promise;
    if (transport.bound.some((each) => each.transport === 'TLS')) transport.reloadTls();
    else await transport.listenTls(tls);
  }

  /** What cannot be sent is told to the sink a moment later: `send` runs inside a transaction. */
  send(flow: Flow, bytes: Buffer): void {
    const sent = this.#transport?.send(flow, bytes);
    if (sent === undefined || sent.ok) return;
    queueMicrotask(() => this.#sink.failed(flow, bytes, sent.error));
  }

  /** A flow to this place; an open one with the same identity is used again. */
  async connect({ transport, address, port, domain }: Hop): Promise<Result<Flow, ConnectFailure>> {
    return (
      this.#transport?.connect(transport, address, port, { domain }) ??
      fail('Unreachable', 'SIP is not open yet')
    );
  }

  /** The HTTPS listener hands a WebSocket over. */
  upgrade(upgrade: Upgrade): void {
    if (this.#transport === undefined) upgrade.socket.destroy();
    else this.#transport.upgrade(upgrade);
  }

  hold(flow: Flow, held: boolean): void {
    this.#transport?.hold(flow, held);
  }

  /** Streams that we opened leave by a port of their own; requests find us at the listener of the same transport. */
  portTowards({ transport, localPort }: Flow): number {
    return this.bound.find((bound) => bound.transport === transport)?.port ?? localPort;
  }

  /**
   * The host that requests of this flow's peer find us at: `own`, which this host is known by, where it is of their family, else
   * the address that the flow ends at. A listener of every address names none: then `own` is all there is to say.
   */
  hostTowards({ localAddress, remoteAddress }: Flow, own: string): string {
    const elsewhere = isIPv6(own) !== isIPv6(remoteAddress) && !EVERYWHERE.has(localAddress);
    const host = elsewhere ? localAddress : own;
    return isIPv6(host) ? `[${host}]` : host;
  }

  get bound(): SipTransport['bound'] {
    return this.#transport?.bound ?? [];
  }

  async close(): Promise<void> {
    await this.#transport?.close();
  }
}
