import type { Direction } from './description.ts';

const sends = (direction: Direction): boolean => direction === 'sendrecv' || direction === 'sendonly';
const receives = (direction: Direction): boolean => direction === 'sendrecv' || direction === 'recvonly';

const directionOf = (sending: boolean, receiving: boolean): Direction => {
  if (sending) return receiving ? 'sendrecv' : 'sendonly';
  return receiving ? 'recvonly' : 'inactive';
};

/**
 * Our direction of a stream for which the peer says `theirs` and we would like `ours` (RFC 3264 6.1): we send only
 * where it receives. So a peer that holds (`sendonly`) is answered `recvonly`, `inactive` is answered `inactive`.
 */
export const meet = (theirs: Direction, ours: Direction): Direction =>
  directionOf(receives(theirs) && sends(ours), sends(theirs) && receives(ours));

/** RFC 2543 hold, `c=0.0.0.0`: whoever wrote it cannot be sent to (RFC 3264 8.4). */
export const deafened = (direction: Direction): Direction => directionOf(sends(direction), false);
