/*
 * Addresses nobody outside their own network can be reached by: RFC 1918, RFC 6598, RFC 3927, loopback; ULA (RFC 4193),
 * link-local.
 */
const PRIVATE_4 =
  /^(10\.|127\.|169\.254\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/;
const PRIVATE_6 = /^(::1$|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/i;
const NUMERIC_4 = /^\d{1,3}(\.\d{1,3}){3}$/;

const isPrivate = (address: string): boolean => PRIVATE_4.test(address) || PRIVATE_6.test(address);

/** Not a host name: nobody need resolve it. */
export const isNumeric = (host: string): boolean => NUMERIC_4.test(host) || host.includes(':');

export const familyOf = (address: string): 4 | 6 => (address.includes(':') ? 6 : 4);

/**
 * May another source than the described one take the leg (symmetric RTP)? Where NAT is expected: forced, or the
 * description names a private address that is not where the SIP came from.
 */
export const mayLatch = (described: string, sipSource: string, forced: boolean): boolean =>
  forced || (described !== sipSource && isPrivate(described));
