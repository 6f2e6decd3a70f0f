import { MAGIC_COOKIE, type SipRequest, type SipResponse } from '../message/index.ts';

/*
 * A server transaction is named by request and path. RFC 3261 17.2.3 asks for branch, sent-by and method; beyond the
 * standard Call-ID, CSeq number and From tag count, so that a device whose branch collides with another's, or never
 * changes, still starts a transaction of its own. join writes one flat string; a concatenation would keep its pieces, and
 * with them the request's whole text.
 */

/**
 * Names a request, whichever path it took: what merged requests share (RFC 3261 8.2.2.2). The To tag is left out,
 * because in a request it is empty or that of a dialog, where CSeq grows, and in an ACK it is ours. A From without tag
 * (RFC 2543) is known by its URI. ACK names the INVITE it ends; `method` is given to find the INVITE that a CANCEL means.
 */
export const requestKey = (
  { method: own, callId, cseq, from }: SipRequest,
  method = own === 'ACK' ? 'INVITE' : own,
): string => [method, callId, cseq.seq, from.tag ?? from.uriText].join('\n');

/** Names the path of a request: branch and sent-by; without the magic cookie (RFC 2543) Request-URI and the whole top Via. */
export function pathKey({ topVia: { branch = '', sentBy, head }, uriText }: SipRequest): string {
  // RFC 4475 3.2.1: the cookie with nothing behind it identifies nothing.
  const unique = branch.length > MAGIC_COOKIE.length && branch.startsWith(MAGIC_COOKIE);
  return unique ? [branch, sentBy].join('\n') : [uriText, head, branch].join('\n');
}

/** Key of the client transaction a response belongs to (RFC 3261 17.1.3): our branch and the CSeq method. */
export const clientKey = (branch: string, method: string): string => `${branch}\n${method}`;

export const responseKey = (response: SipResponse): string =>
  clientKey(response.topVia.branch ?? '', response.cseq.method);
