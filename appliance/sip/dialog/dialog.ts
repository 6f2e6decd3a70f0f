import type { Outgoing } from '../endpoint/index.ts';
import { type HeaderFields, isSip, parseNameAddr, parseUri } from '../message/index.ts';
import type { RequestFacts, ResponseFacts } from './dialog-info.ts';

/**
 * The state that two user agents must keep of each other (RFC 3261 12). Only values: each function answers the next
 * dialog. Whether it is early, confirmed or ended is the phase of the session that uses it.
 */
export interface Dialog {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  /** `<uri>` with parameters, without tag. */
  readonly localAddress: string;
  readonly remoteAddress: string;
  /** Where the next request goes: URI of the peer's latest Contact. */
  readonly remoteTarget: string;
  /** Values of Route, the nearest first. */
  readonly routeSet: readonly string[];
  readonly localSeq: number;
  /** undefined until the peer has sent a request. */
  readonly remoteSeq: number | undefined;
  readonly secure: boolean;
  /** The side that made the Call-ID waits longer after glare (14.1). */
  readonly ownsCallId: boolean;
}

/** Dialog of a UAC, made by the first response with this To tag (12.1.2). `fallback`: Request-URI of the INVITE. */
export const clientDialog = (response: ResponseFacts, fallback: string): Dialog => ({
  callId: response.callId,
  localTag: response.fromTag,
  remoteTag: response.toTag,
  localAddress: response.from,
  remoteAddress: response.to,
  // Interop: a 1xx often has no Contact; the INVITE's own target then has to do.
  remoteTarget: response.target ?? fallback,
  routeSet: response.recordRoute.toReversed(),
  localSeq: response.cseq,
  remoteSeq: undefined,
  secure: fallback.toLowerCase().startsWith('sips:'),
  ownsCallId: true,
});

/** Dialog of a UAS, made by the INVITE and our tag (12.1.1). undefined without Contact: the peer could not be reached. */
export const serverDialog = (invite: RequestFacts, localTag: string): Dialog | undefined =>
  invite.target === undefined
    ? undefined
    : {
        callId: invite.callId,
        localTag,
        remoteTag: invite.fromTag,
        localAddress: invite.to,
        remoteAddress: invite.from,
        remoteTarget: invite.target,
        routeSet: invite.recordRoute,
        localSeq: 0,
        remoteSeq: invite.cseq,
        secure: invite.secure,
        ownsCallId: false,
      };

/** Key by which requests and responses find their dialog (12: Call-ID, local tag, remote tag). */
export const dialogKey = (callId: string, localTag: string, remoteTag: string): string =>
  `${callId}\n${localTag}\n${remoteTag}`;
export const keyOfRequest = ({ callId, toTag, fromTag }: RequestFacts): string =>
  dialogKey(callId, toTag, fromTag);
export const keyOfDialog = ({ callId, localTag, remoteTag }: Dialog): string =>
  dialogKey(callId, localTag, remoteTag);

/** A 2xx sets the route again (13.2.2.4); afterwards the route set is fixed for the life of the dialog (12.2). */
export const confirmedBy = (dialog: Dialog, response: ResponseFacts): Dialog =>
  retargeted({ ...dialog, routeSet: response.recordRoute.toReversed() }, response);

/** Target refresh (12.2.1.2, 12.2.2). */
export const retargeted = (dialog: Dialog, { target }: { readonly target?: string }): Dialog =>
  target === undefined ? dialog : { ...dialog, remoteTarget: target };

/**
 * Order of the peer's requests (12.2.2). Lower numbers are refused with 500 by the caller; gaps are fine.
 * Chosen: so is an equal number: a retransmission never gets past its transaction.
 */
export const inOrder = ({ remoteSeq }: Dialog, { cseq }: RequestFacts): boolean =>
  remoteSeq === undefined || cseq > remoteSeq;

export interface Content {
  readonly headers?: HeaderFields;
  readonly body?: Uint8Array;
}

/** The next request of ours in the dialog (12.2.1.1), and the dialog that remembers its number. */
export function nextRequest(
  dialog: Dialog,
  method: string,
  content: Content,
): { readonly dialog: Dialog; readonly outgoing: Outgoing } {
  const next = { ...dialog, localSeq: dialog.localSeq + 1 };
  return { dialog: next, outgoing: requestIn(next, method, next.localSeq, content) };
}

/** ACK takes the number of its INVITE (13.2.2.4), all else the next free one. */
export function requestIn(dialog: Dialog, method: string, cseq: number, content: Content): Outgoing {
  const { uri, routes, isStrict } = routed(dialog);
  const headers: [string, string][] = [
    ...routes.map((route): [string, string] => ['Route', route]),
    ['From', withTag(dialog.localAddress, dialog.localTag)],
    ['To', withTag(dialog.remoteAddress, dialog.remoteTag)],
    ['Call-ID', dialog.callId],
    ['CSeq', `${cseq} ${method}`],
  ];
  return {
    method,
    uri,
    ...(isStrict ? { isStrict } : {}),
    headers: [...headers, ...(content.headers ?? [])],
    ...(content.body === undefined ? {} : { body: content.body }),
  };
}

/** The same request once more under the next number, with other credentials where there are some. */
export function repeated(
  dialog: Dialog,
  { headers, ...rest }: Outgoing,
  credentials: HeaderFields,
): { readonly dialog: Dialog; readonly outgoing: Outgoing } {
  const next = { ...dialog, localSeq: dialog.localSeq + 1 };
  const others = headers.filter(([name]) => !credentials.some(([each]) => each === name));
  const again = others.map(([name, value]): readonly [string, string] =>
    name === 'CSeq' ? [name, `${next.localSeq} ${rest.method}`] : [name, value],
  );
  return { dialog: next, outgoing: { ...rest, headers: [...again, ...credentials] } };
}

const withTag = (address: string, tag: string): string => (tag === '' ? address : `${address};tag=${tag}`);

/**
 * Loose routing: target in the Request-URI, the whole set in Route. Interop: a first route without `lr` is a
 * strict router of RFC 2543: it gets the Request-URI, and the target goes to the end of the list.
 */
function routed({ remoteTarget, routeSet }: Dialog): {
  readonly uri: string;
  readonly routes: readonly string[];
  readonly isStrict: boolean;
} {
  const [first, ...rest] = routeSet;
  const route = first === undefined ? undefined : parseNameAddr(first, 0, first.length);
  if (route === undefined || isLoose(route.uriText))
    return { uri: remoteTarget, routes: routeSet, isStrict: false };
  return { uri: route.uriText, routes: [...rest, `<${remoteTarget}>`], isStrict: true };
}

function isLoose(uriText: string): boolean {
  const uri = parseUri(uriText);
  return !uri.ok || !isSip(uri.value) || uri.value.parameters.some(({ name }) => name === 'lr');
}
