import { fail, ok, type Result } from '#shared/result.ts';
import type { Flow } from '../endpoint/index.ts';
import type { Malformed, NameAddr, SipRequest } from '../message/index.ts';
import { contactKey } from './contact-key.ts';

/** Chosen: devices name one contact, few name two; 900 would take 50 ms to carry out. */
const MOST_CONTACTS = 32;

/** The content of a REGISTER, read and checked. */
export interface Registration {
  readonly aor: string;
  readonly callId: string;
  readonly cseq: number;
  /** `*` with Expires 0 removes everything; an empty list asks what there is. */
  readonly contacts: readonly WantedContact[] | '*';
  readonly flow: Flow;
  readonly path: readonly string[];
  readonly userAgent: string;
  /** A secret of the device stands behind it: a right password, a signed token. */
  readonly proven: boolean;
}

export interface WantedContact {
  readonly key: string;
  readonly uri: string;
  readonly q: number;
  /** Seconds; undefined: the registrar chooses. */
  readonly expires: number | undefined;
  /** The device names its instance and flow itself (RFC 5626). */
  readonly outbound: boolean;
}

/**
 * Reads a REGISTER whose sender is already known (RFC 3261 10.3 steps 4 to 6). `aor` is the authenticated
 * device's, in the tenant's spelling: From hosts vary, the tenant does not.
 */
export function readRegistration(
  request: SipRequest,
  aor: string,
  flow: Flow,
  proven: boolean,
): Result<Registration, Malformed> {
  const contacts = request.contacts;
  if (!contacts.ok) return contacts;
  if (contacts.value.length > MOST_CONTACTS)
    return fail('Malformed', `more than ${MOST_CONTACTS} contacts in one REGISTER`, 'Contact');
  const path = request.nameAddrs('Path');
  if (!path.ok) return path;
  // Step 6: a wildcard stands alone and with Expires 0.
  if (request.contactStar && (request.expires !== 0 || request.headers('Contact').length > 1)) {
    return fail('Malformed', 'a wildcard contact stands alone and needs Expires 0', 'Contact');
  }
  const wanted: WantedContact[] = [];
  for (const contact of contacts.value) {
    const read = readContact(contact, request.expires);
    if (!read.ok) return read;
    wanted.push(read.value);
  }
  return ok({
    aor,
    callId: request.callId,
    cseq: request.cseq.seq,
    contacts: request.contactStar ? '*' : wanted,
    flow,
    path: path.value.map((value) => `<${value.uriText}>`),
    userAgent: request.header('User-Agent') ?? '',
    proven,
  });
}

function readContact(contact: NameAddr, expiresField: number | undefined): Result<WantedContact, Malformed> {
  const uri = contact.uri;
  if (!uri.ok) return uri;
  const instance = contact.parameter('+sip.instance');
  const regId = seconds(contact.parameter('reg-id'));
  const outbound = instance !== undefined && instance !== '' && regId !== undefined && regId > 0;
  return ok({
    key: outbound ? `${instance} ${regId}` : contactKey(uri.value),
    uri: contact.uriText,
    q: quality(contact.parameter('q')),
    expires:
      contact.parameter('expires') === undefined ? expiresField : seconds(contact.parameter('expires')),
    outbound,
  });
}

/** Interop: a broken number counts as not given, and the registrar chooses. */
function seconds(text: string | undefined): number | undefined {
  if (text === undefined || text === '' || text.length > 10) return undefined;
  for (const sign of text) if (sign < '0' || sign > '9') return undefined;
  return Math.min(Number(text), 0xffff_ffff);
}

/** RFC 3261 25.1 qvalue; 1 when absent or broken. */
function quality(text: string | undefined): number {
  const q = text === undefined || text === '' ? Number.NaN : Number(text);
  return q >= 0 && q <= 1 ? q : 1;
}
