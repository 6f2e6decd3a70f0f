import { spells } from './grammar.ts';

/**
 * Names of header fields the stack reads itself, with their compact forms (RFC 3261 7.3.3 and 20; RFC 3515,
 * 3841, 4028, 6665). Every field of a received message is filed under the number of its name; 0 is any other.
 */
export const FIELD = {
  other: 0,
  via: 1,
  from: 2,
  to: 3,
  callId: 4,
  cseq: 5,
  maxForwards: 6,
  contentLength: 7,
  contentType: 8,
  contact: 9,
  route: 10,
  recordRoute: 11,
  expires: 12,
  require: 13,
  supported: 14,
  contentEncoding: 15,
  authorization: 16,
  proxyAuthorization: 17,
  subject: 18,
  userAgent: 19,
  accept: 20,
  allow: 21,
  event: 22,
  referTo: 23,
  referredBy: 24,
  sessionExpires: 25,
  acceptContact: 26,
  rejectContact: 27,
  allowEvents: 28,
  requestDisposition: 29,
  proxyRequire: 30,
} as const;

/** Wire spelling of each numbered name, lower case; the second column is the compact form. */
const SPELLING: readonly (readonly [number, string, string?])[] = [
  [FIELD.via, 'via', 'v'],
  [FIELD.from, 'from', 'f'],
  [FIELD.to, 'to', 't'],
  [FIELD.callId, 'call-id', 'i'],
  [FIELD.cseq, 'cseq'],
  [FIELD.maxForwards, 'max-forwards'],
  [FIELD.contentLength, 'content-length', 'l'],
  [FIELD.contentType, 'content-type', 'c'],
  [FIELD.contact, 'contact', 'm'],
  [FIELD.route, 'route'],
  [FIELD.recordRoute, 'record-route'],
  [FIELD.expires, 'expires'],
  [FIELD.require, 'require'],
  [FIELD.supported, 'supported', 'k'],
  [FIELD.contentEncoding, 'content-encoding', 'e'],
  [FIELD.authorization, 'authorization'],
  [FIELD.proxyAuthorization, 'proxy-authorization'],
  [FIELD.subject, 'subject', 's'],
  [FIELD.userAgent, 'user-agent'],
  [FIELD.accept, 'accept'],
  [FIELD.allow, 'allow'],
  [FIELD.event, 'event', 'o'],
  [FIELD.referTo, 'refer-to', 'r'],
  [FIELD.referredBy, 'referred-by', 'b'],
  [FIELD.sessionExpires, 'session-expires', 'x'],
  [FIELD.acceptContact, 'accept-contact', 'a'],
  [FIELD.rejectContact, 'reject-contact', 'j'],
  [FIELD.allowEvents, 'allow-events', 'u'],
  [FIELD.requestDisposition, 'request-disposition', 'd'],
  [FIELD.proxyRequire, 'proxy-require'],
];

/** Fields that may stand once only (RFC 3261 7.3.1); a second one leaves the message without a meaning. */
export const SINGLE: readonly number[] = [
  FIELD.from,
  FIELD.to,
  FIELD.callId,
  FIELD.cseq,
  FIELD.maxForwards,
  FIELD.contentLength,
  FIELD.contentType,
];

interface Spelling {
  readonly name: string;
  readonly field: number;
}

/** Candidates by length and first letter: nearly always one, so a name costs one comparison. */
const BUCKET: Spelling[][] = [];
const bucketOf = (length: number, first: number): number => (length << 5) | (first & 31);
for (const [field, ...names] of SPELLING) {
  for (const name of names) {
    if (name === undefined) continue;
    const bucket = bucketOf(name.length, name.charCodeAt(0));
    BUCKET[bucket] = [...(BUCKET[bucket] ?? []), { name, field }];
  }
}

/** Number of the name standing at text[from, to); `FIELD.other` for a name not in the table. */
export function fieldOf(text: string, from: number, to: number): number {
  const bucket = BUCKET[bucketOf(to - from, text.charCodeAt(from))];
  if (bucket === undefined) return FIELD.other;
  for (const { name, field } of bucket) {
    if (spells(text, from, name)) return field;
  }
  return FIELD.other;
}
