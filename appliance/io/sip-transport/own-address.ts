import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Flow } from '../../sip/endpoint/index.ts';

/** How long a route is believed, ms: addresses come and go while the program runs. */
const BELIEVED_MS = 10_000;
const REMEMBERED = 4_096;
/** Discard (RFC 863); nothing is sent there. */
const ANY_PORT = 9;

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/** `::ffff:192.0.2.1`, as a socket of both families writes an IPv4 address, is that IPv4 address (RFC 4291 2.5.5.2). */
export const plainAddress = (address: string): string => MAPPED.exec(address)?.[1] ?? address;

/** Every address of a family: a listener may use it, and no host can be reached at it. */
export const isEverywhere = (address: string): boolean => address === '0.0.0.0' || address === '::';

/**
 * The address that datagrams to this one leave from, by the routes of the kernel: it chooses when a socket is connected, and
 * nothing is sent. undefined: no way leads there.
 */
export function sourceTowards(remote: string): string | undefined {
  const ipv6 = isIPv6(remote);
  const socket = createSocket({
    type: ipv6 ? 'udp6' : 'udp4',
    ipv6Only: ipv6,
    // Answered at once, so that binding and connecting are done before the next line.
    lookup: (host, _options, done) => done(null, host, ipv6 ? 6 : 4),
  });
  // No route comes as an event, later; what is read below says it now.
  socket.on('error', () => undefined);
  try {
    socket.connect(ANY_PORT, remote);
    const { address } = socket.address();
    return isEverywhere(address) ? undefined : address;
  } catch {
    return undefined;
  } finally {
    socket.close();
  }
}

interface Believed {
  readonly address: string | undefined;
  readonly untilMs: number;
}

/** Which of our addresses the peer of a flow finds us at. */
export class OwnAddresses {
  readonly #monoMs: () => number;
  readonly #source: typeof sourceTowards;
  #known = new Map<string, Believed>();

  /** @param source seen by tests */
  constructor(monoMs: () => number, source = sourceTowards) {
    this.#monoMs = monoMs;
    this.#source = source;
  }

  /**
   * `own`, which this host is known by, where it is of the peer's family (a name counts as IPv4); else the address that the flow
   * ends at; a listener of every address names none, so there the one that the way to the peer begins at. Never `::`, never an
   * IPv4 address written as IPv6. Without a way there is only `own` to say.
   */
  towards({ localAddress, remoteAddress }: Flow, own: string): string {
    return isIPv6(own) === isIPv6(plainAddress(remoteAddress))
      ? own
      : (this.addressTowards({ localAddress, remoteAddress }) ?? own);
  }

  /** The same whatever this host is known by: the address of the interface that leads to the peer. undefined: no way does. */
  addressTowards({
    localAddress,
    remoteAddress,
  }: Pick<Flow, 'localAddress' | 'remoteAddress'>): string | undefined {
    const local = plainAddress(localAddress);
    const found = isEverywhere(local) ? this.#towards(plainAddress(remoteAddress)) : local;
    return found === undefined ? undefined : zoneless(found);
  }

  /**
   * The address at which a peer without a flow to us finds us: `own` where it is of that family (a name counts as IPv4), else
   * the address that the route to the peer begins at. undefined: this host has none of that family.
   */
  reachedFrom(remoteAddress: string, own: string): string | undefined {
    const ipv6 = isIPv6(plainAddress(remoteAddress));
    return isIPv6(own) === ipv6
      ? own
      : this.addressTowards({ localAddress: ipv6 ? '::' : '0.0.0.0', remoteAddress });
  }

  #towards(remote: string): string | undefined {
    const nowMs = this.#monoMs();
    const known = this.#known.get(remote);
    if (known !== undefined && nowMs < known.untilMs) return known.address;
    if (this.#known.size >= REMEMBERED) this.#known = new Map();
    const address = this.#source(remote);
    this.#known.set(remote, { address, untilMs: nowMs + BELIEVED_MS });
    return address;
  }
}

/** The zone of a link-local address says something on this machine only (RFC 4007 11.2). */
const zoneless = (address: string): string => address.split('%')[0] ?? address;
