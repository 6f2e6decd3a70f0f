import { MAGIC_COOKIE, type SipRequest, type SipResponse } from '../message/index.ts';

/**
 * What a request is, whoever relayed it: Call-ID, CSeq number and From tag. Part of every server key, so that a
 * device whose branch collides with another's (or never changes) still starts a transaction of its own.
 * An RFC 2543 client may lack the tag: then the From URI stands for it.
 */
const identity = (request: SipRequest): string =>
  `${request.callId}\n${request.cseq.seq}\n${request.from.tag ?? request.from.uriText}`;

/**
 * Key of the server transaction a request belongs to (RFC 3261 17.2.3): branch, sent-by and method, and the
 * request's identity. Without the magic cookie: Request-URI and the whole top Via in place of branch and sent-by.
 * ACK names the INVITE it ends; `method` may be given to find the INVITE that a CANCEL means.
 *
 * The To tag is left out of the RFC 2543 form: in a request it is empty or that of a dialog, where CSeq grows,
 * and in an ACK it is ours.
 */
export function serverKey(
  request: SipRequest,
  method = request.method === 'ACK' ? 'INVITE' : request.method,
): string {
  const { branch, sentBy, head } = request.topVia;
  const from = branch?.startsWith(MAGIC_COOKIE)
    ? `${branch}\n${sentBy}`
    : `${request.uriText}\n${head}\n${branch ?? ''}`;
  return `${method}\n${from}\n${identity(request)}`;
}

/** Key under which two paths of one forked request meet (RFC 3261 8.2.2.2): its identity and method. */
export const mergeKey = (request: SipRequest): string => `${request.method}\n${identity(request)}`;

/** Key of the client transaction a response belongs to (RFC 3261 17.1.3): our branch and the CSeq method. */
export const clientKey = (branch: string, method: string): string => `${branch}\n${method}`;

export const responseKey = (response: SipResponse): string =>
  clientKey(response.topVia.branch ?? '', response.cseq.method);
