import { isSip, isTel, type NameAddr, type SipRequest } from '../message/index.ts';

/** Header fields by name; several lines of one name are a list. */
export type NamedFields = Readonly<Record<string, string | readonly string[]>>;

/** The caller of a request, in the names of the API (media document 2.4 and 6). */
export interface CallerInfo {
  readonly fromUser: string;
  readonly displayName: string;
  /** User part of the first P-Asserted-Identity; only of a sender that is trusted. */
  readonly paiNumber: string | undefined;
  /** The caller asks that its number be hidden (RFC 3323 4.2). */
  readonly private: boolean;
  /** X-… fields, without the secret of the trunk. */
  readonly xHeaders: NamedFields;
  /** P-… fields; identities only of a sender that is trusted. */
  readonly pHeaders: NamedFields;
  /** Diversion values, the latest first (RFC 5806 5.1). */
  readonly diversionHeaders: readonly string[];
  /** History-Info values, the oldest first (RFC 7044 5). */
  readonly historyInfo: readonly string[];
  readonly referredBy: string | undefined;
  readonly subject: string | undefined;
}

/** Never shown and never passed on: it is the secret itself. */
const SECRET: ReadonlySet<string> = new Set(['x-trunk-key', 'x-jwtauth']);
/** RFC 3325 5: assertions of a party outside the circle of trust are taken out. */
const ASSERTED: ReadonlySet<string> = new Set(['p-asserted-identity', 'p-preferred-identity']);
const HIDING: ReadonlySet<string> = new Set(['id', 'user', 'header', 'critical']);

/** `trusted`: the request came from a trunk, not from a device or a stranger (RFC 3325 4). */
export function callerInfo(request: SipRequest, trusted: boolean): CallerInfo {
  const asserted = trusted ? firstAddress(request, 'P-Asserted-Identity') : undefined;
  const privacy = request.headers('Privacy').flatMap((line) => line.toLowerCase().split(/[;,]/));
  const shown = (name: string): boolean => trusted || !ASSERTED.has(name);
  return {
    fromUser: userOf(request.from),
    displayName: request.from.display,
    paiNumber: asserted && userOf(asserted),
    private: privacy.some((value) => HIDING.has(value.trim())),
    xHeaders: fieldsOf(request, (name) => name.startsWith('x-') && !SECRET.has(name)),
    pHeaders: fieldsOf(request, (name) => name.startsWith('p-') && shown(name)),
    diversionHeaders: request.list('Diversion'),
    historyInfo: request.list('History-Info'),
    referredBy: request.header('Referred-By'),
    subject: request.header('Subject'),
  };
}

function firstAddress(request: SipRequest, name: string): NameAddr | undefined {
  const values = request.nameAddrs(name);
  return values.ok ? values.value[0] : undefined;
}

function userOf({ uri }: NameAddr): string {
  if (!uri.ok) return '';
  if (isSip(uri.value)) return uri.value.user ?? '';
  return isTel(uri.value) ? uri.value.number : '';
}

/** Fields whose lower case name is `wanted`, under the spelling of their first line. */
function fieldsOf({ fields }: SipRequest, wanted: (name: string) => boolean): NamedFields {
  const names = new Map<string, string>();
  for (let row = 0; row < fields.count; row++) {
    const name = fields.name(row);
    const lower = name.toLowerCase();
    if (wanted(lower) && !names.has(lower)) names.set(lower, name);
  }
  return Object.fromEntries(
    [...names.values()].map((name) => {
      const values = fields.values(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}
