import type { HeaderFields } from '../../sip/message/index.ts';
import type { Carrier } from './sip-leg-face.ts';

/** How an offer is refused by what carried it; in other messages it cannot be. */
export const REFUSALS: Partial<Record<Carrier, 'refuse' | 'decline'>> = {
  INVITE: 'refuse',
  UPDATE: 'decline',
  PRACK: 'decline',
};

/** With a Warning that tells a person why (RFC 3261 20.43), unless there is one. */
export function withNote(headers: HeaderFields, agent: string, text: string | undefined): HeaderFields {
  if (text === undefined || headers.some(([name]) => name === 'Warning')) return headers;
  return [...headers, ['Warning', `399 ${agent} "${text.replaceAll(/[^\x20-\x7e]|["\\]/g, ' ')}"`]];
}
