import type { PeerCertificate } from 'node:tls';

/**
 * Does the certificate speak for this SIP domain (RFC 5922 7.1 and 7.2)? Returns what is wrong, or undefined.
 *
 * Identities are the `sip:` URIs of the subject alternative names; without one, the DNS names; without any
 * alternative name, the common name. They are compared whole and without case: a wildcard matches nothing.
 * Chosen: an address is compared with the IP names, which RFC 5922 does not mention; hosts of a site are often
 * addressed so.
 */
export function identityProblem(
  domain: string,
  certificate: Pick<PeerCertificate, 'subject' | 'subjectaltname'>,
) {
  const wanted = bare(domain);
  const identities = certificateIdentities(certificate);
  if (identities.some((identity) => identity === wanted)) return undefined;
  return `the certificate speaks for ${identities.join(', ') || 'nobody'}, not for ${wanted}`;
}

/** The SIP domains and addresses a certificate stands for, lower case. */
export function certificateIdentities(
  certificate: Pick<PeerCertificate, 'subject' | 'subjectaltname'>,
): string[] {
  const uris: string[] = [];
  const names: string[] = [];
  const addresses: string[] = [];
  const alternative = alternativeNames(certificate.subjectaltname ?? '');
  for (const [kind, value] of alternative) {
    if (kind === 'URI') {
      const domain = sipDomain(value);
      if (domain !== undefined) uris.push(domain);
    } else if (kind === 'DNS') names.push(value.toLowerCase());
    else if (kind === 'IP Address') addresses.push(value.toLowerCase());
  }
  if (alternative.length === 0) {
    const common: unknown = certificate.subject.CN;
    return typeof common === 'string' ? [common.toLowerCase()] : [];
  }
  return [...(uris.length > 0 ? uris : names), ...addresses];
}

/** RFC 5922 7.1: only scheme `sip`, no user part; parameters do not count. */
function sipDomain(uri: string): string | undefined {
  if (uri.slice(0, 4).toLowerCase() !== 'sip:') return undefined;
  const rest = uri.slice(4);
  const end = rest.search(/[;?]/);
  const host = end < 0 ? rest : rest.slice(0, end);
  return host.includes('@') ? undefined : bare(host);
}

/** Without brackets and final dot, lower case. */
const bare = (host: string): string => host.toLowerCase().replace(/^\[|\]$|\.$/g, '');

/**
 * Node writes the names as one line, `DNS:a, URI:sip:a`, and puts a value in JSON quotes when it holds a comma,
 * a quote or anything unusual. Cutting at every comma would let a value pose as a second name.
 */
function alternativeNames(line: string): [kind: string, value: string][] {
  const names: [string, string][] = [];
  let at = 0;
  while (at < line.length) {
    const colon = line.indexOf(':', at);
    if (colon < 0) break;
    const kind = line.slice(at, colon);
    let end = colon + 1;
    if (line[end] === '"') {
      end++;
      while (end < line.length && line[end] !== '"') end += line[end] === '\\' ? 2 : 1;
      end++;
    } else {
      const comma = line.indexOf(', ', end);
      end = comma < 0 ? line.length : comma;
    }
    const value = line.slice(colon + 1, end);
    // A quoted value is unusual by definition and no host name: it is kept as it stands and matches nothing.
    names.push([kind, value]);
    at = end + 2;
  }
  return names;
}
