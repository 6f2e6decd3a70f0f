import type { Flow } from '#appliance/sip/endpoint/index.ts';
import { openSipTransport } from './open-sip-transport.ts';
import type {
  ListenAddress,
  SipTransport,
  TlsCredentials,
  TransportOptions,
  TransportSink,
} from './sip-transport.ts';

/**
 * All SIP listeners of the appliance. UDP and TCP open at once; TLS opens when there is a certificate, which for a
 * new host is after its enrolment.
 */
export class SipNetwork {
  readonly #sink: TransportSink;
  readonly #common: Pick<TransportOptions, 'monoMs' | 'report'>;
  #plain: SipTransport | undefined;
  #tls: SipTransport | undefined;

  constructor(sink: TransportSink, common: Pick<TransportOptions, 'monoMs' | 'report'>) {
    this.#sink = sink;
    this.#common = common;
  }

  /** Rejects with the address in the message when it cannot be had. */
  async open(udp: ListenAddress | undefined, tcp: ListenAddress | undefined): Promise<void> {
    const listeners = { ...(udp && { udp: [udp] }), ...(tcp && { tcp: [tcp] }) };
    this.#plain = await openSipTransport({ ...this.#common, ...listeners }, this.#sink);
  }

  /** Opens the TLS listener, or lets an open one read its certificate again. */
  async secure(tls: ListenAddress | undefined, credentials: () => TlsCredentials): Promise<void> {
    if (tls === undefined) return;
    if (this.#tls !== undefined) this.#tls.reloadTls();
    else {
      const options = { ...this.#common, tls: [tls], tlsCredentials: credentials };
      this.#tls = await openSipTransport(options, this.#sink);
    }
  }

  /** What cannot be sent is told to the sink a moment later: `send` runs inside a transaction. */
  send(flow: Flow, bytes: Buffer): void {
    const transport = flow.transport === 'TLS' ? this.#tls : this.#plain;
    const sent = transport?.send(flow, bytes);
    if (sent === undefined || sent.ok) return;
    queueMicrotask(() => this.#sink.failed(flow, bytes, sent.error));
  }

  hold(flow: Flow, held: boolean): void {
    (flow.transport === 'TLS' ? this.#tls : this.#plain)?.hold(flow, held);
  }

  get bound(): SipTransport['bound'] {
    return [...(this.#plain?.bound ?? []), ...(this.#tls?.bound ?? [])];
  }

  async close(): Promise<void> {
    await Promise.all([this.#plain?.close(), this.#tls?.close()]);
  }
}
