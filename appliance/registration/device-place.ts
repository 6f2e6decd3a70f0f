import { sipUserOf } from '#shared/address-user.ts';
import { hostPort } from '#shared/host-port.ts';
import type { Flow } from '../sip/endpoint/index.ts';
import { isSip, parseUri, type SipRequest, sameHost } from '../sip/message/index.ts';

/** One place where a device may hear us. */
export interface Place {
  /** Request-URI. */
  readonly uri: string;
  /** Values of Route (RFC 3327). */
  readonly routes: readonly string[];
  /** The open way there. */
  readonly flow?: Flow;
  /** Without a flow: the URI of whom to connect to. */
  readonly hop?: string;
}

/** How to reach a registered device: its contact, the way it came, and the proxies between (RFC 3327). */
export interface Contact {
  readonly uri: string;
  readonly flow: Flow | undefined;
  /** Values of Route for it (RFC 3327). */
  readonly path: readonly string[];
  /** URI to connect to when the flow is closed: the first proxy of the path, else the contact itself. */
  readonly hop: string;
  /** A secret of the device stands behind it. */
  readonly proven: boolean;
  /** Address that holds it. */
  readonly source: string;
  /** Since when that address has held contacts of the device; epoch ms. */
  readonly sinceMs: number;
  /** The same telephone has registered from another port since: only silence is expected there. */
  readonly isStale?: boolean;
}

/** Where a request of a device came from, as far as an answer needs it. */
export interface Source {
  /** URI of its From. */
  readonly device: string;
  /** By which its response goes (RFC 3261 18.2.2, RFC 3581 4). */
  readonly flow: Flow;
  /** Ports it named itself, in the order to try: they stand in for a source port that may not be listened on. */
  readonly ports: readonly number[];
}

const DEFAULT_PORT = { UDP: 5060, TCP: 5060, TLS: 5061, WS: 80, WSS: 443 } as const;

/** The ports of Via and Contact, where the source port is not known to be listened on: no rport, and another port in Via. */
export function namedPorts(request: SipRequest, flow: Flow): readonly number[] {
  const { topVia } = request;
  const viaPort = topVia.port ?? DEFAULT_PORT[flow.transport];
  if (flow.transport === 'UDP' && (topVia.rport !== undefined || viaPort === flow.remotePort)) return [];
  const contacts = request.contacts;
  const uri = contacts.ok ? contacts.value[0]?.uri : undefined;
  if (uri?.ok !== true || !isSip(uri.value)) return [viaPort];
  return [...new Set([viaPort, uri.value.port ?? DEFAULT_PORT[flow.transport]])];
}

/**
 * The answer goes to where the alarm came from. Where it is said, in the order to try:
 *
 *     1. the connection it came on, or the source address and port
 *     2. the source address, with the ports that Via and Contact name
 *     3. bindings that a secret has proven, then those that the same address holds: `contacts`, in their order
 *
 * A binding that leads to a place of 1 or 2 gives it its contact and its route: devices know themselves by these.
 */
export function answerPlaces(source: Source, contacts: readonly Contact[]): readonly Place[] {
  const places = sourcePlaces(source);
  for (const contact of contacts) {
    const at = places.findIndex(({ flow }) => flow !== undefined && leadsTo(flow, contact.flow));
    const known = places[at];
    const { uri, path: routes } = contact;
    if (known === undefined) places.push(...placesOf([contact], source.flow.remoteAddress));
    else if (known.uri === sourceUri(source.device, known.flow ?? source.flow))
      places[at] = { ...known, uri, routes };
  }
  return places;
}

/** Places of contacts in their order. `onlyAt`: without a proof nothing is opened to another address than this. */
export function placesOf(contacts: readonly Contact[], onlyAt?: string): Place[] {
  return contacts.flatMap(({ uri, flow, path: routes, hop, proven }): Place[] => {
    if (flow !== undefined) return [{ uri, routes, flow }];
    return proven || onlyAt === undefined || isAt(hop, onlyAt) ? [{ uri, routes, hop }] : [];
  });
}

function sourcePlaces({ device, flow, ports }: Source): Place[] {
  const first: Place = { uri: sourceUri(device, flow), routes: [], flow };
  const others = ports.filter((port) => flow.transport !== 'UDP' || port !== flow.remotePort);
  if (flow.transport === 'WS' || flow.transport === 'WSS') return [first];
  return [
    first,
    ...others.map((remotePort): Place => {
      const there = { ...flow, remotePort };
      const uri = sourceUri(device, there);
      return flow.transport === 'UDP' ? { uri, routes: [], flow: there } : { uri, routes: [], hop: uri };
    }),
  ];
}

/** The user the device calls itself, at the address its request came from: what reaches a device that never registered. */
export function sourceUri(device: string, flow: Flow): string {
  const user = userOf(device);
  const host = hostPort(flow.remoteAddress, flow.remotePort);
  const transport = flow.transport === 'UDP' ? '' : `;transport=${flow.transport.toLowerCase()}`;
  return `sip:${user === '' ? '' : `${user}@`}${host}${transport}`;
}

/** The user part of a SIP URI; empty: it has none. */
export const userOf = (uri: string): string => sipUserOf(uri) ?? '';

/** The fields with these values of Route (RFC 3327). */
export const withRoutes = (
  headers: readonly (readonly [string, string])[],
  routes: readonly string[],
): readonly (readonly [string, string])[] => [
  ...headers,
  ...routes.map((route) => ['Route', route] as const),
];

/** Do both ways end at the same place: one connection, or one address and port? */
export const leadsTo = (a: Flow, b: Flow | undefined): boolean =>
  b !== undefined &&
  a.transport === b.transport &&
  a.connection === b.connection &&
  a.remoteAddress === b.remoteAddress &&
  a.remotePort === b.remotePort;

function isAt(uri: string, address: string): boolean {
  const parsed = parseUri(uri);
  return parsed.ok && isSip(parsed.value) && sameHost(parsed.value.host, address);
}
