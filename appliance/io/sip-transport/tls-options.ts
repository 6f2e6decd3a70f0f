import {
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type SecureContextOptions,
} from 'node:tls';
import type { TlsCredentials } from './sip-transport.ts';

/** TLS 1.2 and 1.3 with Node's ciphers (RFC 9325 4.2): no renegotiation, no static RSA. */
export function tlsOptions(credentials: TlsCredentials): SecureContextOptions {
  const { cert, key } = credentials;
  return { ...(cert !== undefined && { cert }), ...(key !== undefined && { key }), minVersion: 'TLSv1.2' };
}

/**
 * Contexts for outgoing connections: the certificate we show as a client, the system's authorities and those of `ca`. Reading some
 * 150 authorities takes longer than a message may, so a context is made once per set of credentials.
 */
export class ClientContext {
  #credentials: TlsCredentials | undefined;
  #context: SecureContext | undefined;

  /** Throws when certificate and key do not fit together. */
  of(credentials: TlsCredentials | undefined): SecureContext {
    if (this.#context === undefined || !sameCredentials(this.#credentials, credentials)) {
      this.#context = createSecureContext(
        credentials === undefined
          ? { minVersion: 'TLSv1.2' }
          : { ...tlsOptions({ ...credentials, ...credentials.client }), ...authorities(credentials) },
      );
      this.#credentials = credentials;
    }
    return this.#context;
  }
}

function authorities({ ca }: TlsCredentials): { ca?: string[] } {
  // Without `ca` Node takes its built-in set, already read.
  return ca === undefined
    ? {}
    : { ca: [...getCACertificates('default'), ...(typeof ca === 'string' ? [ca] : ca)] };
}

const sameCredentials = (a: TlsCredentials | undefined, b: TlsCredentials | undefined): boolean =>
  a?.cert === b?.cert &&
  a?.key === b?.key &&
  a?.client?.cert === b?.client?.cert &&
  a?.client?.key === b?.client?.key &&
  a?.ca?.toString() === b?.ca?.toString();
