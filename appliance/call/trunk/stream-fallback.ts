import { BoundedMap } from '#shared/bounded-map.ts';
import type { Result } from '#shared/result.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { Flow, Outgoing, StreamRoutes } from '../../sip/endpoint/index.ts';
import { type Hop, namedTransport, nextHop } from '../../sip/location/index.ts';
import type { Connect, NextHopFailure } from './next-hop-resolver.ts';

/**
 * Chosen: so long a connection may take that is wanted for a length alone, ms. A lost SYN is repeated after 1 s; where a firewall
 * swallows it, an alarm call must not wait the ten seconds of other connections before it rings.
 */
const PATIENCE_MS = 2_500;
/** Chosen: so long a place that took none is not asked again, ms. */
const BELIEVED_MS = 10 * 60_000;
const MOST_PLACES = 4_096;

type StreamFallbackPorts = Pick<KernelPorts, 'clock' | 'run' | 'log'>;

/**
 * Connections for requests that are too long for UDP (RFC 3261 18.1.1), to the address and port that UDP would have used. It
 * remembers the peers that take none: requests to those go by UDP at once, in fragments.
 *
 * Chosen: who names `transport=udp` is believed (RFC 3263 4.1): a phone or carrier that writes it has nothing else.
 */
export class StreamFallback implements StreamRoutes {
  readonly #ports: StreamFallbackPorts;
  readonly #connect: Connect;
  /** Until when, by address and port; in the order of being learnt. */
  readonly #takesNone = new BoundedMap<string, number>(MOST_PLACES);

  constructor(ports: StreamFallbackPorts, connect: Connect) {
    this.#ports = ports;
    this.#connect = connect;
  }

  open(outgoing: Outgoing, flow: Flow, opened: (stream: Flow | undefined, nowMs: number) => void): void {
    const nowMs = this.#ports.clock.monoMs();
    const hop = nextHop(outgoing);
    const place = { address: flow.remoteAddress, port: flow.remotePort };
    const isUdpOnly = hop !== undefined && namedTransport(hop) === 'udp';
    if (isUdpOnly || this.#refuses(place, nowMs)) {
      opened(undefined, nowMs);
      return;
    }
    const tcp = { ...place, transport: 'TCP', domain: place.address } as const;
    const found = async () => {
      const stream = await this.connect(tcp);
      opened(stream.ok ? stream.value : undefined, this.#ports.clock.monoMs());
    };
    this.#ports.run(found());
  }

  failed({ remoteAddress: address, remotePort: port }: Flow, nowMs: number): void {
    this.#remember({ address, port }, nowMs, 'took a request and said nothing');
  }

  /** A connection to this place within a time that a call can wait; at once none where none was taken lately. */
  readonly connect = async (hop: Hop): Promise<Result<Flow, NextHopFailure>> => {
    const { clock } = this.#ports;
    if (this.#refuses(hop, clock.monoMs()))
      return {
        ok: false,
        error: { code: 'Unreachable', reason: `${hop.address} took no connection before` },
      };
    const opened = await this.#connect(hop, PATIENCE_MS);
    if (!opened.ok) this.#remember(hop, clock.monoMs(), opened.error.reason);
    return opened;
  };

  #refuses(place: Place, nowMs: number): boolean {
    return nowMs < (this.#takesNone.get(keyOf(place)) ?? Number.NEGATIVE_INFINITY);
  }

  #remember(place: Place, nowMs: number, reason: string): void {
    const { address, port } = place;
    this.#ports.log(
      'debug',
      'sip_stream.connect_failed',
      'Could not open a connection; sent long requests by UDP',
      { address, port, reason },
    );
    this.#takesNone.set(keyOf(place), nowMs + BELIEVED_MS);
  }
}

type Place = Pick<Hop, 'address' | 'port'>;

const keyOf = ({ address, port }: Place): string => `${address} ${port}`;
