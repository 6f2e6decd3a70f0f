import type { NewCall } from '#shared/contract/callback/index.ts';
import type { SipRequest } from '../../../sip/message/index.ts';
import { addressFields, type CallOrigin } from '../../control/index.ts';

/** The calling and the called party in callbacks. */
export type CallingInfo = Pick<
  NewCall,
  | 'callingParty'
  | 'calledParty'
  | 'fromUser'
  | 'displayName'
  | 'srcAddr'
  | 'xHeaders'
  | 'pHeaders'
  | 'copyHeaders'
  | 'diversionHeaders'
  | 'referredBy'
  | 'paiNumber'
  | 'subject'
>;

/** Never sent outside: the secret of a trunk and the fields that name it. */
const SECRET = new Set(['x-trunk-key', 'x-jwtauth', 'x-terminating-trunk-group-id']);
/** Headers other than X- and P- that an application may want to pass on. */
const COPIED = new Set(['user-to-user', 'history-info', 'priority', 'alert-info', 'call-info', 'privacy']);

export function callingInfo(request: SipRequest, origin: CallOrigin, srcAddr: string): CallingInfo {
  const calledParty = addressFields(request.uriText)?.user ?? '';
  const named = (prefix: string) => grouped(origin.fields, prefix);
  const [xHeaders, pHeaders] = [named('x-'), named('p-')];
  // From a caller outside the circle of trust the identity is a claim (RFC 3325 5).
  const pai = origin.trusted ? request.header('P-Asserted-Identity') : undefined;
  const paiNumber = pai === undefined ? undefined : addressFields(/<([^>]+)>/.exec(pai)?.[1] ?? pai)?.user;
  const copyHeaders = origin.fields
    .filter(([name]) => COPIED.has(name.toLowerCase()))
    .map(([name, value]) => ({ name, value }));
  const diversionHeaders = origin.fields
    .filter(([name]) => name.toLowerCase() === 'diversion')
    .map(([, value]) => value);
  const referredBy = request.header('Referred-By');
  const subject = request.header('Subject');
  return {
    callingParty: origin.user,
    calledParty,
    fromUser: addressFields(request.from.uriText)?.user ?? '',
    ...(origin.display !== '' && { displayName: origin.display }),
    srcAddr,
    ...(Object.keys(xHeaders).length > 0 && { xHeaders }),
    ...(Object.keys(pHeaders).length > 0 && { pHeaders }),
    ...(copyHeaders.length > 0 && { copyHeaders }),
    ...(diversionHeaders.length > 0 && { diversionHeaders }),
    ...(referredBy !== undefined && { referredBy }),
    ...(paiNumber !== undefined && { paiNumber }),
    ...(subject !== undefined && { subject }),
  };
}

/** One value as text, several as a list. */
function grouped(fields: CallOrigin['fields'], prefix: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of fields) {
    const lower = name.toLowerCase();
    if (!lower.startsWith(prefix) || SECRET.has(lower) || lower === 'p-asserted-identity') continue;
    const known = found[name];
    found[name] = known === undefined ? value : [known, value].flat();
  }
  return found;
}
