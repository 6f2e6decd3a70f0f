/** Header fields in their order, as they stand in a message. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** The headers that pass from one leg of a call to the other, besides those that the product decides itself. */
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
  'x-jwtauth',
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
  /**
   * An application of the tenant has named the fields. `Chosen:` its word counts as that of the platform, and the callee alone
   * decides: a trunk gets every X- and P- field and every identity, a device or an address gets the X- and P- fields but no
   * identity and nothing that hosts say among each other.
   */
  readonly byApplication?: boolean;
}

/** Identities asserted inside the circle of trust: RFC 3325 9.1, and the field that preceded it. */
const ASSERTED: ReadonlySet<string> = new Set(['p-asserted-identity', 'remote-party-id']);
/** Fields between hosts that trust each other: RFC 5502 6, RFC 8496 6, RFC 7315 4.1. */
const AMONG_TRUSTED: ReadonlySet<string> = new Set([
  'p-served-user',
  'p-charge-info',
  'p-associated-uri',
  'p-profile-key',
  'p-user-database',
]);
/** Fields that tell who calls, or would like to: RFC 7044 10.1, RFC 5806 6, RFC 3892 6, RFC 3323 4.1. */
const TELLING: ReadonlySet<string> = new Set([
  'history-info',
  'diversion',
  'referred-by',
  'call-info',
  'organization',
]);

/** Fields of an INVITE that go on to the callee. */
export function passedFields(fields: Fields, rule: PassRule): Fields {
  const all: PassRule & { readonly history: boolean } = { ...rule, history: asks(fields, 'history') };
  return fields.filter(([name, value]) => passes(name.toLowerCase(), value, all));
}

/** Names of the fields that do not go on, each once. */
export function withheldNames(fields: Fields, rule: PassRule): readonly string[] {
  const passed = new Set(passedFields(fields, rule));
  return [...new Set(fields.filter((field) => !passed.has(field)).map(([name]) => name))];
}

/** No callee gets this field, whoever names it. */
export const isNeverSent = (name: string): boolean => OURS.has(name.toLowerCase());

function passes(
  name: string,
  value: string,
  { fromTrusted, toTrusted, hidden, history, byApplication }: PassRule & { readonly history: boolean },
): boolean {
  if (OURS.has(name)) return false;
  if (byApplication === true && (AMONG_TRUSTED.has(name) || ASSERTED.has(name))) return toTrusted;
  if (AMONG_TRUSTED.has(name)) return fromTrusted && toTrusted;
  // RFC 3325 5 and 7: a peer outside may not assert an identity, and is not shown a hidden one.
  if (ASSERTED.has(name)) return fromTrusted && (toTrusted || !(hidden || asksForItself(value)));
  if (!toTrusted && TELLING.has(name)) {
    if (hidden || (history && name === 'history-info') || asksForItself(value)) return false;
  }
  return name.startsWith('x-') || name.startsWith('p-') || PASSED.has(name);
}

/** Does a value ask to be hidden by itself: `;privacy=full` (RFC 5806 4), `?Privacy=history` in an entry (RFC 7044 10.1)? */
const asksForItself = (value: string): boolean =>
  /[;?&]\s{0,4}privacy\s{0,4}=\s{0,4}"?(?!off\b|no\b|none\b)\w/i.test(value);

/** Do the Privacy fields of a message name this? Several lines are one list (RFC 3261 7.3.1). */
const asks = (fields: Fields, ...wanted: readonly string[]): boolean =>
  fields.some(
    ([name, value]) =>
      name.toLowerCase() === 'privacy' &&
      value.split(/[;,]/).some((each) => wanted.includes(each.trim().toLowerCase())),
  );

/**
 * Fields of a hidden caller for a trunk, which gets the identity and must keep it to itself: that is said by `id` alone, whatever
 * else the caller asked for (RFC 3325 9.3).
 */
export function keptSecret(fields: Fields): Fields {
  if (asks(fields, 'id')) return fields;
  const isPrivacy = ([name]: Fields[number]): boolean => name.toLowerCase() === 'privacy';
  const said = fields.filter(isPrivacy).map(([, value]) => value);
  return [...fields.filter((field) => !isPrivacy(field)), ['Privacy', [...said, 'id'].join(';')]];
}

/** Do its Privacy fields ask to hide who calls (RFC 3323 4.2, RFC 3325 9.3)? */
export const hidesCaller = (fields: Fields): boolean => asks(fields, 'id', 'user', 'header');

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
