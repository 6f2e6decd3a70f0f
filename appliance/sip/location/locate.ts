import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { SipUri } from '../message/index.ts';
import type { Lookup, NaptrRecord } from './lookup.ts';
import { type Random, weightedOrder } from './weighted-order.ts';

export type HopTransport = 'UDP' | 'TCP' | 'TLS';

/** One place to send a request to. */
export interface Hop {
  readonly transport: HopTransport;
  /** IP address without brackets. */
  readonly address: string;
  readonly port: number;
  /** Host of the URI: whom a TLS certificate must speak for (RFC 5922 7.1). */
  readonly domain: string;
}

export interface LocateOptions {
  /** For URIs that name none: spares the look-up of NAPTR. */
  readonly transport?: HopTransport;
  /** Transports this host can use; default all three. */
  readonly usable?: readonly HopTransport[];
}

export type Located = Result<readonly Hop[], Failure<'NotSupported' | 'NotFound' | 'LookupFailed'>>;

const ALL: readonly HopTransport[] = ['UDP', 'TCP', 'TLS'];
const SERVICE: Readonly<Record<string, HopTransport>> = {
  'SIP+D2U': 'UDP',
  'SIP+D2T': 'TCP',
  'SIPS+D2T': 'TLS',
};
const SRV_NAME: Readonly<Record<HopTransport, string>> = {
  UDP: '_sip._udp',
  TCP: '_sip._tcp',
  TLS: '_sips._tcp',
};
const DEFAULT_PORT: Readonly<Record<HopTransport, number>> = { UDP: 5060, TCP: 5060, TLS: 5061 };
/** A name with thousands of records does not make a call try thousands of hosts. */
const MOST_HOPS = 16;

/**
 * Where a SIP URI is served, in the order to try (RFC 3263 4):
 *
 *     transport said, or a port, or an address ──────────────────────┐
 *     else NAPTR ── none ── SRV of each transport ── none ── UDP ────┤
 *                                                                    v
 *     address: itself; port said: A, AAAA; else SRV ── none ── A, AAAA at the default port
 *
 * Never throws; `LookupFailed`: no name server answered, so the result is unknown.
 */
export async function locate(
  uri: SipUri,
  lookup: Lookup,
  random: Random,
  options: LocateOptions = {},
): Promise<Located> {
  const host = parameterOf(uri, 'maddr') ?? uri.host;
  const usable = (options.usable ?? ALL).filter((each) => uri.scheme === 'sip' || each === 'TLS');
  const said = saidTransport(uri, options.transport);
  if (said === 'unknown' || (said !== undefined && !usable.includes(said))) {
    const name = parameterOf(uri, 'transport') ?? said;
    return fail(
      'NotSupported',
      `${uri.host} asks for transport ${name}, which this host does not offer for ${uri.scheme}`,
    );
  }
  const domain = bare(uri.host);
  const literal = addressOf(host);
  const standard: HopTransport = uri.scheme === 'sips' ? 'TLS' : 'UDP';
  if (literal !== undefined) {
    const transport = said ?? standard;
    return ok([{ transport, address: literal, port: uri.port ?? DEFAULT_PORT[transport], domain }]);
  }
  const search = new Search(lookup, random, domain);
  if (uri.port !== undefined) return search.hosts([{ target: host, port: uri.port }], said ?? standard);
  if (said !== undefined) return search.service(host, said);
  return search.domain(host, usable, standard);
}

/** The look-ups of one URI. */
class Search {
  readonly #lookup: Lookup;
  readonly #random: Random;
  readonly #identity: string;

  constructor(lookup: Lookup, random: Random, identity: string) {
    this.#lookup = lookup;
    this.#random = random;
    this.#identity = identity;
  }

  /** 4.1: the URI names no transport. */
  async domain(host: string, usable: readonly HopTransport[], standard: HopTransport): Promise<Located> {
    const naptr = await this.#lookup.naptr(host);
    if (!naptr.ok) return naptr;
    const services = naptr.value.filter((record) => isService(record, usable)).sort(byOrder);
    const names = services.map((record) => ({
      transport: SERVICE[record.service.toUpperCase()] ?? standard,
      name: record.replacement,
    }));
    // Without NAPTR each transport is asked for; the order is ours, and UDP comes first as for a bare name.
    const asked =
      names.length > 0
        ? names
        : usable.map((transport) => ({ transport, name: `${SRV_NAME[transport]}.${host}` }));
    const hops: Hop[] = [];
    for (const { transport, name } of asked) {
      const found = await this.#records(name, transport);
      if (found === undefined) continue;
      if (!found.ok && found.error.code === 'LookupFailed') return found;
      if (found.ok) hops.push(...found.value);
    }
    if (hops.length > 0) return ok(hops.slice(0, MOST_HOPS));
    return this.hosts([{ target: host, port: DEFAULT_PORT[standard] }], standard);
  }

  /** 4.2: the transport is known, no port said. */
  async service(host: string, transport: HopTransport): Promise<Located> {
    const found = await this.#records(`${SRV_NAME[transport]}.${host}`, transport);
    return found ?? this.hosts([{ target: host, port: DEFAULT_PORT[transport] }], transport);
  }

  async hosts(
    targets: readonly { readonly target: string; readonly port: number }[],
    transport: HopTransport,
  ): Promise<Located> {
    const hops: Hop[] = [];
    let failed: Located | undefined;
    for (const { target, port } of targets) {
      const addresses = await this.#lookup.addresses(target);
      if (!addresses.ok) failed = addresses;
      else
        hops.push(
          ...addresses.value.map((address) => ({ transport, address, port, domain: this.#identity })),
        );
      if (hops.length >= MOST_HOPS) break;
    }
    if (hops.length > 0) return ok(hops.slice(0, MOST_HOPS));
    return (
      failed ?? fail('NotFound', `no address is known for ${targets.map(({ target }) => target).join(', ')}`)
    );
  }

  /** SRV records in the order to try; undefined: there are none. */
  async #records(name: string, transport: HopTransport): Promise<Located | undefined> {
    const srv = await this.#lookup.srv(name);
    if (!srv.ok) return srv;
    if (srv.value.length === 0) return undefined;
    // RFC 2782: a single record with the root as target means "decidedly not here".
    const targets = srv.value.filter(({ target }) => target !== '' && target !== '.');
    if (targets.length === 0) return fail('NotFound', `${name} says that this service is not offered`);
    return this.hosts(weightedOrder(targets, this.#random), transport);
  }
}

/** RFC 3263 4.1: a sips URI means TLS whatever its transport parameter says, which is then the one below TLS. */
function saidTransport(
  uri: SipUri,
  otherwise: HopTransport | undefined,
): HopTransport | 'unknown' | undefined {
  const said = parameterOf(uri, 'transport')?.toUpperCase();
  if (said === undefined)
    return uri.scheme === 'sips' ? (otherwise === undefined ? undefined : 'TLS') : otherwise;
  if (uri.scheme === 'sips') return said === 'TCP' || said === 'TLS' ? 'TLS' : 'unknown';
  return said === 'UDP' || said === 'TCP' || said === 'TLS' ? said : 'unknown';
}

const parameterOf = (uri: SipUri, name: string): string | undefined =>
  uri.parameters.find((each) => each.name === name)?.raw;

const isService = (
  { flags, service, replacement }: NaptrRecord,
  usable: readonly HopTransport[],
): boolean => {
  const transport = SERVICE[service.toUpperCase()];
  return (
    flags.toLowerCase() === 's' && replacement !== '' && transport !== undefined && usable.includes(transport)
  );
};

const byOrder = (a: NaptrRecord, b: NaptrRecord): number => a.order - b.order || a.preference - b.preference;

/** Without the brackets of an IPv6 address and the dot of the root. */
const bare = (host: string): string => host.replace(/^\[|\]$|\.$/g, '');

/** The address itself when the host is one. */
const addressOf = (host: string): string | undefined =>
  host.startsWith('[') || host.includes(':') || /^\d{1,3}(\.\d{1,3}){3}$/.test(host) ? bare(host) : undefined;
