/** An OPTIONS that asks whether the peer is there: any answer but these says so (RFC 3261 12.2.1.2). */
export const PRESENCE = 'presence';
