import { createSecureContext, getCACertificates } from 'node:tls';
import { buildConnector } from 'undici';
import { withoutContinue } from '#shared/http/index.ts';
import type { AddressPolicy } from '#shared/matching/index.ts';
import { checkedLookup, type Resolve } from '../egress/index.ts';

/**
 * Asks once for those who ask at the same time. The system's resolver blocks one of few threads for as long as a
 * silent name server takes: without this a burst of callbacks to one dead name would hold up signatures and other names.
 */
export function shared(resolve: Resolve): Resolve {
  const pending = new Map<string, ReturnType<Resolve>>();
  return (hostname) => {
    const known = pending.get(hostname);
    if (known !== undefined) return known;
    const asked = resolve(hostname).finally(() => pending.delete(hostname));
    pending.set(hostname, asked);
    return asked;
  };
}

/**
 * Connections whose name is resolved once, whose addresses are all checked, and which go to one of the checked
 * addresses: a second answer of the resolver is never asked for, so a rebinding name gains nothing. Host and SNI
 * stay the name. One forbidden address refuses the name altogether. TLS 1.2 or newer where the scheme wants TLS.
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
  return (options, callback) =>
    connectorFor(portOf(options))(options, (...[error, socket]) =>
      error === null ? callback(null, withoutContinue(socket)) : callback(error, null),
    );
}

/** The port of a URL, or the one that its scheme stands for. */
export const portOf = ({ protocol, port }: { readonly protocol: string; readonly port?: string | null }) =>
  Number(port || (protocol === 'http:' ? 80 : 443));
