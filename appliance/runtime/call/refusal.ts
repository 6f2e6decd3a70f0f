import type { Carrier } from './sip-leg-face.ts';

/** How an offer is refused by what carried it; in other messages it cannot be. */
export const REFUSALS: Partial<Record<Carrier, 'refuse' | 'decline'>> = {
  INVITE: 'refuse',
  UPDATE: 'decline',
  PRACK: 'decline',
};

/** Value of a Warning field that tells a person why (RFC 3261 20.43). */
export const noteOf = (agent: string, text: string): string =>
  `399 ${agent} "${text.replaceAll(/[^\x20-\x7e]|["\\]/g, ' ')}"`;
