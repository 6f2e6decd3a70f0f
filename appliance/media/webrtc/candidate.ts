/** One address a peer may be reached at: `a=candidate` (RFC 8839, 5.1), UDP and component 1 only. */
export interface IceCandidate {
  readonly foundation: string;
  readonly priority: number;
  /** Numeric. */
  readonly host: string;
  readonly port: number;
  readonly kind: CandidateKind;
}
export type CandidateKind = 'host' | 'srflx' | 'prflx' | 'relay';

const KINDS: readonly string[] = ['host', 'srflx', 'prflx', 'relay'];
const HIGHEST_PRIORITY = 0x7fff_ffff;

/**
 * Reads the value of the attribute, with or without `candidate:` in front; undefined for whatever is of no use here.
 *
 * Passed over are TCP, component 2 (RTCP shares the port), and names: `.local` ones (a browser hides its address) need
 * multicast to be resolved, and the peer's own checks show its address anyway (peer-reflexive).
 */
export function readCandidate(value: string): IceCandidate | undefined {
  const [foundation = '', component, transport = '', priority, host = '', port, typ, kind = ''] = value
    .replace(/^candidate:/, '')
    .trim()
    .split(/ +/);
  if (component !== '1' || transport.toLowerCase() !== 'udp' || typ !== 'typ') return undefined;
  if (!/^[A-Za-z0-9+/]{1,32}$/.test(foundation) || !isKind(kind) || !isAddress(host)) return undefined;
  const numbers = { priority: whole(priority), port: whole(port) };
  if (!(numbers.priority >= 1 && numbers.priority <= HIGHEST_PRIORITY)) return undefined;
  if (!(numbers.port >= 1 && numbers.port <= 65_535)) return undefined;
  return { foundation, host, kind, ...numbers };
}

/** Value of the attribute, without `candidate:` in front. */
export const writeCandidate = ({ foundation, priority, host, port, kind }: IceCandidate): string =>
  `${foundation} 1 udp ${priority} ${host} ${port} typ ${kind}`;

const whole = (digits: string | undefined): number =>
  digits !== undefined && /^\d{1,10}$/.test(digits) ? Number(digits) : Number.NaN;
const isKind = (kind: string): kind is CandidateKind => KINDS.includes(kind);

function isAddress(host: string): boolean {
  const octets = host.split('.');
  if (octets.length === 4 && octets.every((octet) => /^\d{1,3}$/.test(octet) && Number(octet) <= 255))
    return true;
  return /^[\da-f:]{2,39}$/i.test(host) && host.includes(':');
}
