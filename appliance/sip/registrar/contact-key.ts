import { isSip, isTel, type Parameter, type SipUri, type Uri } from '../message/index.ts';

/** The parameters that make a URI another one when only one of two carries them (RFC 3261 19.1.4). */
const DECISIVE = new Set(['user', 'ttl', 'method', 'maddr', 'transport']);

/**
 * A text that two contact URIs share exactly when they are the same contact: a map finds in one step what
 * pairwise comparison finds in n.
 * Chosen: parameters outside the five are left out. RFC 3261 lets them differ if only one URI has them, which
 * no key can express (the relation is not transitive); devices change such parameters from boot to boot.
 */
export function contactKey(uri: Uri): string {
  if (isSip(uri)) return sipKey(uri);
  return isTel(uri) ? `tel:${uri.number.toLowerCase()}` : `${uri.scheme}:${'text' in uri ? uri.text : ''}`;
}

function sipKey(uri: SipUri): string {
  const user = uri.user === undefined ? '' : `${encodeURIComponent(uri.user)}@`;
  const port = uri.port === undefined ? '' : `:${uri.port}`;
  const parameters = uri.parameters.filter(({ name }) => DECISIVE.has(name)).map(parameterKey);
  return `${uri.scheme}:${user}${uri.host}${port}${parameters.sort().join('')}`;
}

const parameterKey = ({ name, raw }: Parameter): string => `;${name}=${(raw ?? '').toLowerCase()}`;

/**
 * The name under which contacts of one user are kept (RFC 3261 10.3 step 5): without parameters, port and
 * password, host in lower case. Undefined for a URI without a user.
 */
export function addressOfRecord(uri: Uri): string | undefined {
  return isSip(uri) && uri.user !== undefined ? aorOf(uri.user, uri.host) : undefined;
}

export const aorOf = (user: string, host: string): string => `${user}@${host.toLowerCase()}`;
