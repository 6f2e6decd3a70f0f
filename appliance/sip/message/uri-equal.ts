import type { Parameter } from './parameter.ts';
import { isSip, isTel, type SipUri, type Uri } from './uri.ts';

/** A parameter of one URI alone makes them differ only if it is one of these (RFC 3261 19.1.4). */
const DECISIVE = ['user', 'ttl', 'method', 'maddr', 'transport'];

/**
 * Are two URIs equal by RFC 3261 19.1.4 (sip, sips) or RFC 3966 4 (tel)? User and password compare by case,
 * all else without; an absent port is not the same as 5060.
 */
export function uriEqual(a: Uri, b: Uri): boolean {
  if (isSip(a) && isSip(b)) return sipEqual(a, b);
  if (isTel(a) && isTel(b)) {
    return a.number.toLowerCase() === b.number.toLowerCase() && sameSet(a.parameters, b.parameters);
  }
  return 'text' in a && 'text' in b && a.text === b.text;
}

function sipEqual(a: SipUri, b: SipUri): boolean {
  return (
    a.scheme === b.scheme &&
    a.user === b.user &&
    a.password === b.password &&
    a.host === b.host &&
    a.port === b.port &&
    agree(a.parameters, b.parameters) &&
    agree(b.parameters, a.parameters) &&
    sameHeaders(a, b)
  );
}

const valueOfName = (parameters: readonly Parameter[], name: string): string | undefined => {
  const found = parameters.find((each) => each.name === name);
  return found === undefined ? undefined : (found.raw ?? '').toLowerCase();
};

const agree = (a: readonly Parameter[], b: readonly Parameter[]): boolean =>
  a.every(({ name }) => {
    const other = valueOfName(b, name);
    return other === undefined ? !DECISIVE.includes(name) : other === valueOfName(a, name);
  });

const sameSet = (a: readonly Parameter[], b: readonly Parameter[]): boolean =>
  a.length === b.length && a.every(({ name }) => valueOfName(a, name) === valueOfName(b, name));

function sameHeaders(a: SipUri, b: SipUri): boolean {
  const sorted = (uri: SipUri): string =>
    JSON.stringify(uri.headers.map(([name, value]) => [name.toLowerCase(), value]).sort());
  return a.headers.length === b.headers.length && sorted(a) === sorted(b);
}
