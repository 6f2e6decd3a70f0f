import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { createSecureContext, getCACertificates } from 'node:tls';
import { buildConnector } from 'undici';
import type { AddressPolicy } from '#shared/matching/index.ts';

/** All addresses of a name, from the system's resolver unless a test brings its own. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export const systemResolve: Resolve = (hostname) => systemLookup(hostname, { all: true, verbatim: true });

/**
 * Asks once for those who ask at the same time. The system's resolver blocks one of few threads for as long as a
 * silent name server takes: without this a burst of callbacks to one dead name would hold up signatures and other names.
 */
export function shared(resolve: Resolve): Resolve {
  const underWay = new Map<string, ReturnType<Resolve>>();
  return (hostname) => {
    const known = underWay.get(hostname);
    if (known !== undefined) return known;
    const asked = resolve(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, asked);
    return asked;
  };
}

/** A resolved address that the policy forbids. */
export class AddressRefused extends Error {
  readonly code = 'addressRefused';
}

/**
 * TLS connections whose name is resolved once, whose addresses are all checked, and which go to one of the checked
 * addresses: a second answer of the resolver is never asked for, so a rebinding name gains nothing. Host and SNI
 * stay the name. One forbidden address refuses the name altogether.
 */
export function checkedConnector(
  policy: AddressPolicy,
  resolve: Resolve,
  extraCas: readonly string[],
): buildConnector.connector {
  const ca = extraCas.length === 0 ? {} : { ca: [...getCACertificates('default'), ...extraCas] };
  // Made once: reading all authorities again costs 10 ms of processor for each connection.
  const secureContext = createSecureContext({ ...ca, minVersion: 'TLSv1.2' });
  const byPort = new Map<number, buildConnector.connector>();

  const connectorFor = (port: number): buildConnector.connector => {
    const known = byPort.get(port);
    if (known !== undefined) return known;
    const lookup = checkedLookup((address) => policy(address, port), resolve);
    const made = buildConnector({ secureContext, allowH2: false, lookup });
    byPort.set(port, made);
    return made;
  };
  return (options, callback) => connectorFor(Number(options.port || 443))(options, callback);
}

/** A look-up for sockets of other protocols, under the same rules: one forbidden address refuses the name altogether. */
export function checkedLookup(
  refusal: (address: string) => string | undefined,
  resolve: Resolve,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const reason = addresses.map(({ address }) => refusal(address)).find((found) => found !== undefined);
        const first = addresses[0];
        if (reason !== undefined) callback(new AddressRefused(`${hostname}: ${reason}`), '', 0);
        else if (first === undefined) callback(new Error(`${hostname} has no address`), '', 0);
        else if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}
