import type { SipRequest } from '../../../sip/message/index.ts';
import type { Caller } from '../../route/index.ts';
import { type Fields, hidesCaller } from '../../session/index.ts';
import { addressFields } from './address-fields.ts';

/** The caller of a call, as its INVITE or our own intention tells it. */
export interface CallOrigin {
  /** Shown to the callee. */
  readonly display: string;
  readonly user: string;
  readonly host: string;
  /** Asks that its number be hidden. */
  readonly hidden: boolean;
  /** A trunk (RFC 3325). */
  readonly trusted: boolean;
  /** An application of the tenant calls: its fields are the word of the platform. */
  readonly byApplication?: true;
  /** It came by a trunk, and leaves by none. */
  readonly byTrunk?: true;
  /** Fields of the INVITE; of a call of our own those that go into ours. */
  readonly fields: Fields;
  /** Max-Forwards that came. */
  readonly hopsLeft: number;
  /** URI of To, when it is another one than the target's. */
  readonly to?: string;
  /** Parameters of our Contact, each with its `;`. */
  readonly contact?: { readonly user: string; readonly field: string };
}

/** The host of From is ours: answers to the number come back to us. */
export function originOf(request: SipRequest, caller: Caller, domain: string): CallOrigin {
  const fields = fieldsOf(request);
  const user = addressFields(request.from.uriText)?.user ?? '';
  return {
    display: request.from.display,
    // A device is shown by the name it has proved.
    user: caller.kind === 'device' ? caller.deviceId : user,
    host: domain,
    hidden: hidesCaller(fields),
    trusted: caller.kind === 'trunk',
    ...(caller.kind === 'trunk' && { byTrunk: true }),
    fields,
    hopsLeft: request.maxForwards ?? 70,
  };
}

/** Identity and secrecy of a caller that is no longer there. */
const OF_WHO_LEFT: ReadonlySet<string> = new Set([
  'privacy',
  'p-asserted-identity',
  'remote-party-id',
  'diversion',
  'history-info',
]);

/** The party that was called at this address, as a caller of ours. */
export function originAt(to: string, { display: _, ...origin }: CallOrigin): CallOrigin {
  const fields = origin.fields.filter(([name]) => !OF_WHO_LEFT.has(name.toLowerCase()));
  const user = addressFields(to)?.user ?? '';
  return { ...origin, display: '', user, hidden: false, trusted: false, fields };
}

/** Every field of a message, unfolded; lines of one name stay together and in their order. */
const fieldsOf = ({ fields }: SipRequest): Fields =>
  fields.entries().map((field): Fields[number] => {
    const [name, value] = field;
    return value.includes('\0') ? [name, value.replaceAll('\0', ' ')] : field;
  });
