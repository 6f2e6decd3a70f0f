/** A stream that may be a socket, or a pair inside the process. */
interface MaybeSocket {
  readonly setNoDelay?: (isOn: boolean) => unknown;
}

/**
 * Sends each packet of a connection as it is written. By itself TCP holds a small packet back until the one before it is acknowledged
 * (RFC 896), and the other end acknowledges 40 ms later: the answer of a host stood that long behind its own acknowledgement of the question.
 */
export const sendAtOnce = (stream: object): void => void (stream as MaybeSocket).setNoDelay?.(true);
