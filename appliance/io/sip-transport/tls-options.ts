import { getCACertificates, type SecureContextOptions } from 'node:tls';
import type { TlsCredentials } from './sip-transport.ts';

/** TLS 1.2 and 1.3 with Node's ciphers (RFC 9325 4.2): no renegotiation, no static RSA. */
export function tlsOptions(credentials: TlsCredentials): SecureContextOptions {
  return { cert: credentials.cert, key: credentials.key, minVersion: 'TLSv1.2' };
}

/** The authorities an outgoing connection trusts: the system's and those of `ca`. */
export function authorities(credentials: TlsCredentials | undefined): string[] {
  const own = credentials?.ca ?? [];
  return [...getCACertificates('default'), ...(typeof own === 'string' ? [own] : own)];
}
