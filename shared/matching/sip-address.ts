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
