import type { Destination, DestinationMatcher } from './destination-matcher.ts';

/**
 * SIP address of a media or recording service: its id as user part. It needs no `destinationMatch` to be reached, so
 * that the answer to its creation names an address that rings whatever the pattern says.
 */
export const serviceAddress = (id: string, domain: string): string => `sip:${id}@${domain}`;

/** The service that a call to the user part `destination` belongs to: the one of that id, else the one that matches. */
export function serviceFor<S extends Destination>(
  byId: ReadonlyMap<string, S>,
  matcher: Pick<DestinationMatcher<S>, 'match'>,
  destination: string,
): S | undefined {
  return byId.get(destination) ?? matcher.match(destination);
}

const SIP = /^sips?:(?:([^@]*)@)?[^@]*$/i;
const NUMBER = /^(?:tel|gsm):([^;]*)/i;
const AT_HOST = /^([^@\s]+)@[^@\s]+$/;
/** Receiver and line as in the head of a frame, or the account alone (ANSI/SIA DC-09 5.5.1). */
const ACCOUNT = /^(?:(R[0-9A-F]{1,6})?(L[0-9A-F]{0,6})?#)?([0-9A-F]{3,16})$/i;

/**
 * The destinations that `destinationMatch` may meet when a device dials `text`: a SIP or tel URI gives its user part or
 * number, an account of DC-09 gives `R<receiver>L<line>#<account>` as panels send it. The text itself comes first
 * where a device may send it as it is.
 */
export function dialledForms(text: string): readonly string[] {
  const sip = SIP.exec(text);
  if (sip !== null) return [sip[1] ?? ''];
  const number = NUMBER.exec(text)?.[1];
  if (number !== undefined) return [number];
  const user = AT_HOST.exec(text)?.[1];
  if (user !== undefined) return [user];
  const [, receiver = 'R', line, account] = ACCOUNT.exec(text) ?? [];
  if (account === undefined) return [text];
  const lines = line === undefined ? ['L0', 'L'] : [line];
  return [text, ...lines.map((each) => `${receiver}${each}#${account}`)];
}

/**
 * A dialled number without what people write between the digits; undefined: it is no number (a name, an address).
 * RFC 3966 3: visual separators mean nothing.
 */
export function plainNumber(dialled: string): string | undefined {
  const plain = dialled.replaceAll(/[-.() ]/g, '');
  return /^\+?[0-9*#]{1,64}$/.test(plain) ? plain : undefined;
}

/** As much of a trunk as says which calls leave by it. */
interface LeavingTrunk {
  readonly direction: 'in' | 'out' | 'both';
  readonly hosts: readonly unknown[];
  readonly trunkGroupId?: string | undefined;
  /** Absent: it takes every number. */
  readonly numberPrefix?: string | undefined;
}

/** May a call to this number leave by the trunk? `trunkGroupId`: of the caller; without one, by trunks that name none. */
export function leavesBy(trunk: LeavingTrunk, dialled: string, trunkGroupId: string | undefined): boolean {
  const { direction, hosts, numberPrefix = '' } = trunk;
  const number = plainNumber(dialled) ?? dialled;
  const hasRoute = direction !== 'in' && hosts.length > 0;
  return hasRoute && trunk.trunkGroupId === trunkGroupId && number.startsWith(numberPrefix);
}
