import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { fail, ok, type Result } from '#shared/result.ts';
import { every } from '#shared/timer/index.ts';
import type { Flow } from '../../sip/endpoint/index.ts';
import { ConnectionTable } from './connection-table.ts';
import { DEFAULT_LIMITS, type TransportLimits } from './limits.ts';
import { Outgoing } from './outgoing.ts';
import { isEverywhere, sourceTowards } from './own-address.ts';
import type {
  ConnectFailure,
  ListenAddress,
  SendFailure,
  SipTransport,
  TlsCredentials,
  TransportEvent,
  TransportOptions,
  TransportSink,
} from './sip-transport.ts';
import { listenTcp, listenTls, type StreamListener } from './stream-listener.ts';
import { openUdpSocket, type UdpSocket } from './udp-socket.ts';
import type { Upgrade } from './upgrade.ts';
import { WebSocketUpgrade } from './web-socket-upgrade.ts';

type Transport = Flow['transport'];

/**
 * Opens the listeners and begins to deliver into `sink`. Rejects with the address in the message when one of
 * them cannot be had; those already open are closed again.
 */
export async function openSipTransport(
  options: TransportOptions,
  sink: TransportSink,
): Promise<SipTransport> {
  const transport = new Transports(options, sink);
  try {
    await transport.listen();
  } catch (error) {
    await transport.close();
    throw error;
  }
  return transport;
}

class Transports implements SipTransport {
  readonly bound: (ListenAddress & { readonly transport: Transport })[] = [];
  readonly #options: TransportOptions;
  readonly #sink: TransportSink;
  readonly #limits: TransportLimits;
  readonly #report: (event: TransportEvent) => void;
  readonly #table: ConnectionTable;
  readonly #outgoing: Outgoing;
  readonly #webSockets: WebSocketUpgrade;
  readonly #udp: UdpSocket[] = [];
  readonly #listeners: StreamListener[] = [];
  #stopSweeping: (() => void) | undefined;

  constructor(options: TransportOptions, sink: TransportSink) {
    this.#options = options;
    this.#sink = sink;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#report = options.report ?? (() => undefined);
    this.#table = new ConnectionTable(this.#limits, options.monoMs, sink, this.#report);
    this.#webSockets = new WebSocketUpgrade(this.#table, this.#limits);
    this.#outgoing = new Outgoing(this.#table, this.#limits, () => options.tlsCredentials?.(), sink);
  }

  async listen(): Promise<void> {
    const { udp = [], tcp = [], tls = [], monoMs } = this.#options;
    for (const address of udp) {
      await this.#open('UDP', address, async () => {
        const socket = await openUdpSocket(address, this.#limits, monoMs, this.#sink, this.#report);
        this.#udp.push(socket);
        return socket.bound;
      });
    }
    for (const address of tcp)
      await this.#listenStream('TCP', address, () => listenTcp(address, this.#table, this.#report));
    for (const address of tls) await this.listenTls(address);
    this.#stopSweeping = every(this.#limits.sweepMs, () => this.#table.sweep(), { isBackground: true });
  }

  listenTls(address: ListenAddress): Promise<void> {
    return this.#listenStream('TLS', address, () =>
      listenTls(address, this.#table, this.#credentials(), this.#limits, this.#report),
    );
  }

  send(flow: Flow, bytes: Uint8Array): Result<void, SendFailure> {
    if (flow.transport === 'UDP') {
      const socket = this.#udpSocket(flow);
      return socket === undefined ? NO_UDP : socket.send(flow, bytes);
    }
    const connection = this.#table.get(flow.connection);
    return connection === undefined ? this.#outgoing.sendAgain(flow, bytes) : connection.write(bytes);
  }

  async connect(
    ...[transport, target, port, options = {}]: Parameters<SipTransport['connect']>
  ): Promise<Result<Flow, ConnectFailure>> {
    const host = target.startsWith('[') ? target.slice(1, -1) : target;
    if (transport === 'UDP') return this.#udpFlow(host, port);
    const connected = await this.#outgoing.connection({ transport, host, port, options });
    return connected.ok ? ok(connected.value.flow) : connected;
  }

  upgrade(upgrade: Upgrade): void {
    this.#webSockets.take(upgrade);
  }

  reloadTls(): void {
    if (!this.bound.some(({ transport }) => transport === 'TLS')) return;
    try {
      const credentials = this.#credentials();
      for (const listener of this.#listeners) listener.reload(credentials);
      this.#report({ kind: 'tlsReload' });
    } catch (error) {
      this.#report({ kind: 'tlsReload', failure: messageOf(error) });
    }
  }

  async close(): Promise<void> {
    this.#stopSweeping?.();
    this.#outgoing.close();
    const listeners = this.#listeners.map((listener) => listener.close());
    await Promise.all([...listeners, this.#table.close(), ...this.#udp.map((socket) => socket.close())]);
  }

  #listenStream(
    transport: Transport,
    address: ListenAddress,
    listen: () => Promise<StreamListener>,
  ): Promise<void> {
    return this.#open(transport, address, async () => {
      const listener = await listen();
      this.#listeners.push(listener);
      return listener.bound;
    });
  }

  async #open(
    transport: Transport,
    address: ListenAddress,
    open: () => Promise<ListenAddress>,
  ): Promise<void> {
    try {
      this.bound.push({ transport, ...(await open()) });
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      const advice = code && this.#options.advice?.(transport, address, code);
      throw new Error(
        `SIP over ${transport} cannot listen on ${address.host} port ${address.port}: ${messageOf(error)}${advice ? `; ${advice}` : ''}`,
      );
    }
  }

  #credentials(): TlsCredentials {
    const credentials = this.#options.tlsCredentials?.();
    if (credentials?.cert === undefined || credentials.key === undefined) {
      throw new Error('no TLS certificate and key');
    }
    return credentials;
  }

  async #udpFlow(host: string, port: number): Promise<Result<Flow, ConnectFailure>> {
    const address = isIP(host) === 0 ? await resolve(host) : host;
    if (address === undefined) return fail('Unreachable', `UDP ${host}: the name has no address`);
    const socket = this.#udpTowards(address);
    return socket === undefined ? NO_UDP : ok(socket.flowTo(address, port));
  }

  /** The socket the flow came in by, else the first of the right family: answers leave from where requests came to. */
  #udpSocket({ remoteAddress, localAddress, localPort }: Flow): UdpSocket | undefined {
    const ipv6 = remoteAddress.includes(':');
    let first: UdpSocket | undefined;
    for (const socket of this.#udp) {
      if (socket.ipv6 !== ipv6) continue;
      if (socket.bound.port === localPort && socket.bound.host === localAddress) return socket;
      first ??= socket;
    }
    return first;
  }

  /** The socket of the right family; of several the one at the address that the way to this one begins at. */
  #udpTowards(remoteAddress: string): UdpSocket | undefined {
    const family = this.#udp.filter(({ ipv6 }) => ipv6 === remoteAddress.includes(':'));
    if (family.length < 2) return family[0];
    const source = sourceTowards(remoteAddress);
    return family.find(({ bound }) => bound.host === source || isEverywhere(bound.host)) ?? family[0];
  }
}

const NO_UDP = fail('Unreachable', 'no UDP socket for this address family');

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function resolve(host: string): Promise<string | undefined> {
  try {
    return (await lookup(host)).address;
  } catch {
    return undefined;
  }
}
