/** Most names and addresses that a certificate request may ask for. */
export const MOST_CERTIFICATE_NAMES = 20;

/** A name as certificates have it; no wildcards (RFC 1123 2.1). */
export const CERTIFICATE_DNS_NAME =
  /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** The names and addresses of a host. Addresses without brackets. */
export interface ReachedHost {
  readonly hostId: string;
  /** Address or name that it is known by. */
  readonly address: string;
  readonly siteBaseUrl: string;
  /** Addresses that its listeners are configured to use; `0.0.0.0` and `::` stand for every one of the machine. */
  readonly listening: readonly string[];
  /** That the hosts of the site share, of either family. */
  readonly sharedAddress: string | undefined;
  /** Addresses of the machine's interfaces, without loopback. */
  readonly machine: readonly string[];
}

export interface CertificateNames {
  /** The names in its configuration: a certificate without one of them must be made again. */
  readonly needed: readonly string[];
  /** Its name, these, and the addresses that the machine has now; as many as may be asked for. */
  readonly asked: readonly string[];
}

/** Subject alternative names of a host's certificate (RFC 5280 4.2.1.6): every name and address of either family that it is reached by. */
export function certificateNames(host: ReachedHost): CertificateNames {
  const { hostId, address, siteBaseUrl, listening, sharedAddress, machine } = host;
  const everywhere = new Set(listening.filter((each) => each === '0.0.0.0' || each === '::'));
  // A listener on `::` alone hears IPv4 as well.
  const here = machine.filter((each) => everywhere.has('::') || (everywhere.size > 0 && !each.includes(':')));
  const said = [address, new URL(siteBaseUrl).hostname, sharedAddress ?? '', ...listening];
  const needed = [...new Set(said.flatMap(nameOf))].slice(0, MOST_CERTIFICATE_NAMES - 1);
  const all = new Set([...nameOf(hostId), ...needed, ...here.flatMap(nameOf)]);
  return { needed, asked: [...all].slice(0, MOST_CERTIFICATE_NAMES) };
}

/** As a certificate has it; none for what no certificate can have: every address, a link-local one, no name at all. */
function nameOf(text: string): readonly string[] {
  const bare = text.replace(/^\[|\]$/g, '');
  if (!bare.includes(':')) return bare !== '0.0.0.0' && CERTIFICATE_DNS_NAME.test(bare) ? [bare] : [];
  if (!URL.canParse(`http://[${bare}]`)) return [];
  const address = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  return address === '::' || /^fe[89ab]/.test(address) ? [] : [address];
}
