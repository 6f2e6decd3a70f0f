import { MAGIC_COOKIE, type SipRequest, type SipResponse } from '../message/index.ts';

export interface ServerKeys {
  /** Names the server transaction. */
  readonly transaction: string;
  /** Names the request, whichever path it took: what merged requests share (RFC 3261 8.2.2.2). */
  readonly merge: string;
}

/**
 * Keys of a request. Transaction (RFC 3261 17.2.3): branch, sent-by and method, and beyond the standard Call-ID,
 * CSeq number and From tag, so that a device whose branch collides with another's, or never changes, still
 * starts a transaction of its own. Without the magic cookie (RFC 2543): Request-URI and the whole top Via in
 * place of branch and sent-by; the To tag is left out, because in a request it is empty or that of a dialog,
 * where CSeq grows, and in an ACK it is ours. A From without tag (RFC 2543) is known by its URI.
 *
 * ACK names the INVITE it ends; `method` is given to find the INVITE that a CANCEL means.
 */
export function serverKeys(
  request: SipRequest,
  method = request.method === 'ACK' ? 'INVITE' : request.method,
): ServerKeys {
  const { branch, sentBy, head } = request.topVia;
  const merge = `${method}\n${request.callId}\n${request.cseq.seq}\n${request.from.tag ?? request.from.uriText}`;
  // join writes one flat string; a concatenation would keep its pieces, and with them the request's whole text.
  // RFC 4475 3.2.1: the cookie with nothing behind it identifies nothing.
  const unique =
    branch !== undefined && branch.length > MAGIC_COOKIE.length && branch.startsWith(MAGIC_COOKIE);
  const transaction = unique
    ? [merge, branch, sentBy].join('\n')
    : [merge, request.uriText, head, branch ?? ''].join('\n');
  return { transaction, merge: transaction.slice(0, merge.length) };
}

/** Key of the client transaction a response belongs to (RFC 3261 17.1.3): our branch and the CSeq method. */
export const clientKey = (branch: string, method: string): string => `${branch}\n${method}`;

export const responseKey = (response: SipResponse): string =>
  clientKey(response.topVia.branch ?? '', response.cseq.method);
