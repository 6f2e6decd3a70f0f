import type { MediaFault } from '../../../media/control/index.ts';
import type { HeaderFields } from '../../../sip/message/index.ts';
import type { Carrier } from './offer-carrier.ts';

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

const RETRY_AFTER_S = 5;

/** Retry-After for a leg that found no room: seconds, and in the comment the free room (RFC 3261 20.33). */
export function retryAfterOf({ retryAfterS = RETRY_AFTER_S, freeLegs }: MediaFault): string {
  if (freeLegs === undefined) return String(retryAfterS);
  return `${retryAfterS} (free legs: ${freeLegs.ordinary} ordinary, ${freeLegs.alarm} alarm)`;
}

/** A 503 says when to come back (RFC 3261 21.5.4): without it the caller may avoid this appliance for good. */
export const withRetry = (status: number, headers: HeaderFields): HeaderFields =>
  status !== 503 || headers.some(([name]) => name === 'Retry-After')
    ? headers
    : [...headers, ['Retry-After', String(RETRY_AFTER_S)]];
