import { getCACertificates } from 'node:tls';

/** The roots every program trusts, and those of one PEM text. */
export const trustedCas = (pem: string | undefined): string[] =>
  pem === undefined ? getCACertificates('default') : [...getCACertificates('default'), pem];
