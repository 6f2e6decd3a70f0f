/** Source of an alarm: the identity that a secret has proved, and the address it came from. */
export interface Origin {
  /** Name of the identity that a digest, a token or a key has proved; absent: the sender only claims to be the device. */
  readonly proof?: string;
  /** IP address as the socket saw it. The port never counts: a NAT changes it at will. */
  readonly address: string;
}

/** Source of what an earlier program has kept without one: no source is the same. */
export const NOWHERE: Origin = Object.freeze({ address: '' });

/** One telling of some content: an alarm that was taken over from this source. */
export interface Telling {
  readonly origin: Origin;
}

/**
 * `new`: it comes for the first time. `repeat`: its own source has said it, `of` is that telling. `possible`: others
 * have said it, `of` is the first of them; it goes out under an id of its own. `counted`: as `possible`, but there are
 * events enough of it; `of` is the last of them.
 */
export type RepeatVerdict<T> =
  | { readonly kind: 'new' }
  | { readonly kind: 'repeat'; readonly of: T }
  | { readonly kind: 'possible'; readonly of: T }
  | { readonly kind: 'counted'; readonly of: T };

/** Chosen: possible repeats that are reported within the window; a flood from many addresses must not bury the operator. */
export const MOST_POSSIBLE = 3;

/** A proven identity is the same wherever it comes from; an unproven one only at its address. */
export function isSameSource(one: Origin, other: Origin): boolean {
  if (one.proof !== undefined || other.proof !== undefined) return one.proof === other.proof;
  return one.address === other.address;
}

/** Two sources have the same name only when they are the same. */
export const sourceName = ({ proof, address }: Origin): string =>
  proof === undefined ? `at ${address}` : `proven ${proof}`;

/**
 * "A repeat is a repeat only where the identity is proven or the address the same. Twice is allowed, never is not."
 * The first argument holds the tellings of the same content within the window, the oldest first. A proven sender is never only counted.
 */
export function judgeRepeat<T extends Telling>(reported: readonly T[], origin: Origin): RepeatVerdict<T> {
  const own = reported.findLast((one) => isSameSource(one.origin, origin));
  if (own !== undefined) return { kind: 'repeat', of: own };
  const [first] = reported;
  const last = reported.at(-1);
  if (first === undefined || last === undefined) return { kind: 'new' };
  const isReported = origin.proof !== undefined || reported.length <= MOST_POSSIBLE;
  return isReported ? { kind: 'possible', of: first } : { kind: 'counted', of: last };
}
