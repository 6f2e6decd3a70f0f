import { isIPv6 } from 'node:net';
import { fail, type Result } from '#shared/result.ts';
import { listenAdvice } from '#shared/setting/index.ts';
import type { Flow } from '../../sip/endpoint/index.ts';
import type { Hop } from '../../sip/location/index.ts';
import { openSipTransport } from './open-sip-transport.ts';
import { OwnAddresses, plainAddress } from './own-address.ts';
import type {
  ConnectFailure,
  ListenAddress,
  SipTransport,
  TlsCredentials,
  TransportOptions,
  TransportSink,
} from './sip-transport.ts';
import type { Upgrade } from './upgrade.ts';

/** Hears of each message: before it is parsed, and after it was written. Both return at once and must not throw. */
export interface MessageTap {
  received(flow: Flow, bytes: Uint8Array): void;
  sent(flow: Flow, bytes: Uint8Array): void;
}

export type NetworkOptions = Pick<TransportOptions, 'monoMs' | 'report' | 'limits'> & {
  readonly tap?: MessageTap;
  /** PEM of further authorities for outgoing TLS, until `secure` brings credentials of our own. */
  readonly trust?: readonly string[];
};

/** Chosen: a request waits a minute for SIP to open on a slow machine; then its sender tries again or another way. */
const OPENING_MS = 60_000;

/** Where one transport listens. */
type Listening = readonly ListenAddress[];

/**
 * All SIP of the appliance: UDP, TCP and WebSocket from the start, the TLS listener as soon as there is a certificate,
 * which for a new host is after its enrolment. One transport, because connection numbers distinguish the flows.
 */
export class SipNetwork {
  readonly #sink: TransportSink;
  readonly #options: NetworkOptions;
  #credentials: () => TlsCredentials;
  /** A certificate may come before the plain listeners are open. */
  readonly #opened = Promise.withResolvers<SipTransport>();
  readonly #ownAddresses: OwnAddresses;
  #transport: SipTransport | undefined;

  constructor(sink: TransportSink, options: NetworkOptions) {
    this.#sink = options.tap === undefined ? sink : tapped(sink, options.tap);
    this.#options = options;
    this.#ownAddresses = new OwnAddresses(options.monoMs);
    this.#credentials = () => (options.trust === undefined ? {} : { ca: options.trust });
  }

  /** Rejects with the address in the message when it cannot be had. */
  async open(udp: Listening, tcp: Listening): Promise<void> {
    const { monoMs, report, limits } = this.#options;
    this.#transport = await openSipTransport(
      {
        monoMs,
        ...(report && { report }),
        ...(limits && { limits }),
        udp,
        tcp,
        tlsCredentials: () => this.#credentials(),
        advice: (transport, address, code) => listenAdvice(`CARILLON_SIP_${transport}`, address, code),
      },
      this.#sink,
    );
    this.#opened.resolve(this.#transport);
  }

  /** Opens the TLS listeners behind `open`, or lets open ones read their certificate again; connections of ours show it, too. */
  async secure(tls: Listening, credentials: () => TlsCredentials): Promise<void> {
    this.#credentials = credentials;
    if (tls.length === 0) return;
    const transport = await this.#opened.promise;
    if (transport.bound.some((each) => each.transport === 'TLS')) transport.reloadTls();
    else for (const address of tls) await transport.listenTls(address);
  }

  /** The sink hears of a message that cannot be sent a moment later: `send` runs inside a transaction. */
  send(flow: Flow, bytes: Buffer): void {
    const sent = this.#transport?.send(flow, bytes);
    if (sent === undefined) return;
    if (sent.ok) {
      this.#options.tap?.sent(flow, bytes);
      return;
    }
    queueMicrotask(() => this.#sink.failed(flow, bytes, sent.error));
  }

  /**
   * A flow to this place; an open one with the same identity is used again. `withinMs`: as `ConnectOptions`. Before `open` it waits for
   * that: at a start, what an earlier run left goes out as soon as SIP listens.
   */
  async connect(
    { transport, address, port, domain }: Hop,
    withinMs?: number,
  ): Promise<Result<Flow, ConnectFailure>> {
    const options = { domain, ...(withinMs !== undefined && { withinMs }) };
    const opened = this.#transport ?? (await this.#opening(withinMs ?? OPENING_MS));
    return opened?.connect(transport, address, port, options) ?? fail('Unreachable', 'SIP is not open yet');
  }

  /** Undefined: it did not open in that time. */
  async #opening(withinMs: number): Promise<SipTransport | undefined> {
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => late.resolve(undefined), withinMs);
    return await Promise.race([this.#opened.promise, late.promise]).finally(() => clearTimeout(timer));
  }

  /** The HTTPS listener hands a WebSocket over. */
  upgrade(upgrade: Upgrade): void {
    if (this.#transport === undefined) upgrade.socket.destroy();
    else this.#transport.upgrade(upgrade);
  }

  /** Streams that we opened leave by a port of their own; requests find us at the listener of the same transport, and family where there is one. */
  portTowards({ transport, localPort, remoteAddress }: Flow): number {
    const ours = this.bound.filter((bound) => bound.transport === transport);
    const ipv6 = isIPv6(plainAddress(remoteAddress));
    return (ours.find(({ host }) => isIPv6(host) === ipv6) ?? ours[0])?.port ?? localPort;
  }

  /**
   * The host that requests of this flow's peer find us at, in brackets where it is IPv6; `own`: what this host is known by, which
   * does not count towards a peer in a private network (`isPrivate`): there the address is that of the interface to it.
   */
  hostTowards(flow: Flow, own: string, isPrivate = false): string {
    const inside = isPrivate ? this.#ownAddresses.addressTowards(flow) : undefined;
    const host = inside ?? this.#ownAddresses.towards(flow, own);
    return isIPv6(host) ? `[${host}]` : host;
  }

  /** The address at which a peer at the remote address finds our audio; undefined: this host has none of that family. */
  audioTowards(remoteAddress: string, own: string): string | undefined {
    return this.#ownAddresses.reachedFrom(remoteAddress, own);
  }

  get bound(): SipTransport['bound'] {
    return this.#transport?.bound ?? [];
  }

  async close(): Promise<void> {
    await this.#transport?.close();
  }
}

const tapped = (sink: TransportSink, tap: MessageTap): TransportSink => ({
  message: (flow, bytes, nowMs) => {
    tap.received(flow, bytes);
    sink.message(flow, bytes, nowMs);
  },
  closed: (flow, reason) => sink.closed(flow, reason),
  failed: (flow, bytes, failure) => sink.failed(flow, bytes, failure),
  inUse: (flow) => sink.inUse?.(flow) === true,
});
