import { createSocket } from 'node:dgram';
import { lookup, Resolver } from 'node:dns/promises';
import { connect as connectPlain, isIP } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { hostPort, loopbackOf } from '#shared/host-port.ts';
import type { HostIdentity } from '../site/index.ts';
import { bad, doubtful, good, type Outcome, skipped } from './record.ts';

const WITHIN_MS = 5_000;
const CERTIFICATE_DAYS = 14;
const MOST_OFFSET_MS = 2_000;
const DAY_MS = 86_400_000;

/** Addresses of the control plane, and what SIP looks for in the tenant's domain (RFC 3263 4). */
export async function dnsProbe(cloud: string | undefined, domain: string | undefined): Promise<Outcome> {
  if (cloud === undefined) return skipped('cloud.none');
  const name = new URL(cloud).hostname;
  const begun = performance.now();
  try {
    const { address } = await lookup(name);
    const ms = performance.now() - begun;
    const records = domain === undefined ? '' : await sipRecords(domain);
    return good(`${name} ${address}, ${ms.toFixed(0)} ms${records}`);
  } catch (cause) {
    return bad('dns.failed', `${name}: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}`);
  }
}

async function sipRecords(domain: string): Promise<string> {
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  const count = (asked: Promise<readonly unknown[]>): Promise<number> =>
    asked.then((all) => all.length).catch(() => 0);
  const [naptr, srv] = await Promise.all([
    count(resolver.resolveNaptr(domain)),
    count(resolver.resolveSrv(`_sip._udp.${domain}`)),
  ]);
  return `, NAPTR ${naptr}, SRV ${srv}`;
}

const SECONDS_1900_TO_1970 = 2_208_988_800;

/** Offset of our clock by one SNTP question (RFC 4330 5), ms. */
export function ntpProbe(server: string | undefined): Promise<Outcome> {
  if (server === undefined) return Promise.resolve(skipped('ntp.unknown'));
  const socket = createSocket('udp4');
  const question = Buffer.alloc(48);
  question[0] = 0x23;
  return new Promise((resolve) => {
    const over = (outcome: Outcome): void => {
      clearTimeout(end);
      socket.close();
      resolve(outcome);
    };
    const end = setTimeout(() => over(doubtful('ntp.silent', `${server} does not answer`)), 2_000);
    socket.once('error', (cause) => over(doubtful('ntp.silent', `${server}: ${cause.message}`)));
    const sentMs = Date.now();
    socket.once('message', (answer) => {
      const offset = offsetOf(answer, sentMs, Date.now());
      if (offset === undefined) return over(doubtful('ntp.silent', `${server} has no time`));
      const found = `${offset.toFixed(0)} ms from ${server}`;
      over(Math.abs(offset) > MOST_OFFSET_MS ? bad('ntp.off', `the clock is off by ${found}`) : good(found));
    });
    socket.send(question, 123, server, (cause) => {
      if (cause) over(doubtful('ntp.silent', `${server}: ${cause.message}`));
    });
  });
}

/** The mean of the way there and back (RFC 4330 5); undefined for an answer without a time. */
export function offsetOf(answer: Uint8Array, sentMs: number, cameMs: number): number | undefined {
  if (answer.length < 48) return undefined;
  const view = Buffer.from(answer);
  const stratum = view.readUInt8(1);
  if (stratum === 0 || stratum > 15) return undefined;
  const at = (offset: number): number =>
    (view.readUInt32BE(offset) - SECONDS_1900_TO_1970) * 1_000 +
    (view.readUInt32BE(offset + 4) / 2 ** 32) * 1_000;
  return (sentMs - at(32) + (cameMs - at(40))) / 2;
}

/** TLS to the edge listener with the certificate of this host, and until when that one holds. */
export async function tlsProbe(identity: HostIdentity | undefined, nowMs: number): Promise<Outcome> {
  if (identity === undefined) return skipped('notEnrolled');
  const days = Math.floor((identity.expiresAtMs - nowMs) / DAY_MS);
  const reached = await handshake(identity.edgeUrl, identity);
  if (reached !== undefined) return bad(`tls.${reached.kind}`, reached.reason);
  return days < CERTIFICATE_DAYS
    ? doubtful('tls.expiring', `our certificate ends in ${days} d`)
    : good(`certificate ${days} d`);
}

interface Unreached {
  readonly kind: 'unreachable' | 'untrusted';
  readonly reason: string;
}

/** Undefined when the other side was reached and shook hands. */
export function handshake(address: string, identity: HostIdentity): Promise<Unreached | undefined> {
  const { hostname, port, protocol } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'https:' || protocol === 'mqtts:';
  const to = { host, port: Number(port || (secure ? 443 : 1883)) };
  const { certificatePem: cert, keyPem: key, caPem: ca } = identity;
  // An address is no server name (RFC 6066 3).
  const named = isIP(host) === 0 ? { servername: host } : {};
  const options: ConnectionOptions = { ...to, cert, key, ca, ...named };
  return new Promise((resolve) => {
    const socket = secure ? connect(options) : connectPlain(to);
    const over = (kind: Unreached['kind'] | undefined, reason = ''): void => {
      socket.destroy();
      resolve(kind && { kind, reason: `${address}: ${reason}` });
    };
    socket.setTimeout(WITHIN_MS, () => over('unreachable', 'no answer'));
    socket.once('error', (cause: NodeJS.ErrnoException) =>
      over(isOfTrust(cause.code) ? 'untrusted' : 'unreachable', cause.code ?? cause.message),
    );
    socket.once(secure ? 'secureConnect' : 'connect', () =>
      secure && !(socket as TLSSocket).authorized ? over('untrusted', 'not trusted') : over(undefined),
    );
  });
}

/** Codes of Node for a certificate that is not what it should be. */
const isOfTrust = (code = ''): boolean => /CERT|ISSUER|SIGNATURE|ALTNAME|SSL/.test(code);

export interface TcpListener {
  readonly host: string;
  readonly port: number;
}

/** One that may be at several addresses, the first among `all`: those of IPv4 and of IPv6. */
export interface Listening extends TcpListener {
  readonly all?: readonly TcpListener[];
}

export const addressesOf = (listening: Listening): readonly TcpListener[] => listening.all ?? [listening];

/** Every TCP port that shall be open on this machine. */
export async function portProbe(listeners: readonly TcpListener[]): Promise<Outcome> {
  const shut = new Set<string>();
  for (const listener of listeners) if (!(await open(listener))) shut.add(nameIn(listeners, listener));
  return shut.size === 0
    ? good([...new Set(listeners.map(({ port }) => port))].join(', '))
    : bad('ports.shut', `nobody listens on ${[...shut].join(', ')}`);
}

/** The port, and the address where others have the same. */
const nameIn = (all: readonly TcpListener[], { host, port }: TcpListener): string =>
  all.some((other) => other.port === port && other.host !== host) ? hostPort(host, port) : `${port}`;

const open = ({ host, port }: TcpListener): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connectPlain({ host: loopbackOf(host), port });
    const over = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.setTimeout(1_000, () => over(false));
    socket.once('connect', () => over(true));
    socket.once('error', () => over(false));
  });
