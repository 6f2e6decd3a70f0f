/** Header fields in their order, as they stand in a message. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** What goes from one leg of a call to the other, beside what the product decides itself. */
const PASSED: ReadonlySet<string> = new Set([
  'diversion',
  'history-info',
  'referred-by',
  'subject',
  'user-to-user',
  'privacy',
  'priority',
  'organization',
  'alert-info',
  'call-info',
  'answer-mode',
  'geolocation',
]);

/** Never passed on: the secret of a trunk and what names it (decisions 3); fields that concern one hop only. */
const OURS: ReadonlySet<string> = new Set([
  'x-trunk-key',
  'x-terminating-trunk-group-id',
  'p-preferred-identity',
  'p-access-network-info',
  'p-charging-vector',
  'p-charging-function-addresses',
]);

export interface PassRule {
  /** The caller belongs to the circle of trust: a trunk (RFC 3325 3). */
  readonly fromTrusted: boolean;
  /** The callee does. */
  readonly toTrusted: boolean;
  /** The caller asked that its number be hidden, or the call does so for it. */
  readonly hidden: boolean;
}

/** Fields of an INVITE that go on to the callee. */
export const passedFields = (fields: Fields, rule: PassRule): Fields =>
  fields.filter(([name]) => passes(name.toLowerCase(), rule));

function passes(name: string, { fromTrusted, toTrusted, hidden }: PassRule): boolean {
  if (OURS.has(name)) return false;
  // RFC 3325 5 and 7: nobody outside may assert an identity, and nobody outside is shown a hidden one.
  if (name === 'p-asserted-identity' || name === 'remote-party-id')
    return fromTrusted && (toTrusted || !hidden);
  // Who was called before tells who calls: RFC 7044 10.1, RFC 5806 6.
  if (hidden && !toTrusted && (name === 'history-info' || name === 'diversion' || name === 'referred-by'))
    return false;
  return name.startsWith('x-') || name.startsWith('p-') || PASSED.has(name);
}

/** Does a Privacy field ask to hide who calls (RFC 3323 4.2, RFC 3325 9.3)? */
export const hidesCaller = (privacy: string | undefined): boolean =>
  /(?:^|[;, \t])(?:id|user|header)(?:$|[;, \t])/i.test(privacy ?? '');

/** Name and number that a callee is shown. */
export interface CallerIdentity {
  readonly display: string;
  readonly user: string;
  readonly host: string;
}

/** Address of From. Hidden, it says what RFC 3323 4.1.1.3 says. */
export function fromAddress({ display, user, host }: CallerIdentity, hidden: boolean): string {
  if (hidden) return '"Anonymous" <sip:anonymous@anonymous.invalid>';
  const at = user === '' ? host : `${escaped(user)}@${host}`;
  return display === '' ? `<sip:${at}>` : `"${quoted(display)}" <sip:${at}>`;
}

const quoted = (text: string): string =>
  text.replaceAll(/[\0\r\n]/g, ' ').replaceAll(/["\\]/g, (sign) => `\\${sign}`);

/** User part of a URI (RFC 3261 25.1). */
export const escaped = (user: string): string =>
  user.replaceAll(/[^A-Za-z0-9\-_.!~*'()&=+$,;?/]/gu, (sign) => encodeURIComponent(sign));
