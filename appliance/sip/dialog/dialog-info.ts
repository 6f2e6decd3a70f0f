import type { NameAddr, SipMessage, SipRequest, SipResponse } from '../message/index.ts';
import { sessionBody } from '../sdp/index.ts';

/** The side that refreshes a session (RFC 4028 4); of a request or response, so `uac` is the sender of the request. */
export type Refresher = 'uac' | 'uas';

export interface SessionExpires {
  readonly seconds: number;
  readonly refresher?: Refresher;
}

/** The values of requests and responses for a dialog. Plain values: a test can write a sequence without a message. */
interface MessageFacts {
  readonly callId: string;
  readonly cseq: number;
  readonly method: string;
  /** Address of From and To without their tags, as they are to be repeated. */
  readonly from: string;
  readonly to: string;
  /** '' when an RFC 2543 peer sends none (RFC 3261 12.1.1). */
  readonly fromTag: string;
  readonly toTag: string;
  /** URI of the first Contact. */
  readonly target?: string;
  /** Values of Record-Route in the order of the message. */
  readonly recordRoute: readonly string[];
  /** Option tags, lower case. */
  readonly supported: readonly string[];
  readonly require: readonly string[];
  /** Methods of Allow; undefined when the field is missing. */
  readonly allow?: readonly string[];
  readonly sessionExpires?: SessionExpires;
  /** Seconds of Min-SE. */
  readonly minSe?: number;
  readonly rseq?: number;
  /** The session description in the body, also out of a multipart one. */
  readonly sdp?: Uint8Array;
  /** The body is cut into parts that cannot be read: its content is unknown. */
  readonly broken?: true;
}

export interface RequestFacts extends MessageFacts {
  /** Was the Request-URI a SIPS URI? */
  readonly secure: boolean;
  /** RAck of PRACK (RFC 3262 7.2). */
  readonly rack?: { readonly rseq: number; readonly cseq: number; readonly method: string };
}

export interface ResponseFacts extends MessageFacts {
  readonly status: number;
  /** Seconds of Retry-After. */
  readonly retryAfter?: number;
}

type Growing<T> = { -readonly [K in keyof T]: T[K] };

export function requestFacts(request: SipRequest): RequestFacts {
  const facts: Growing<RequestFacts> = messageFacts(request, {
    secure: request.uriText.toLowerCase().startsWith('sips:'),
  });
  const rack = rackOf(request.header('RAck'));
  if (rack !== undefined) facts.rack = rack;
  return facts;
}

export function responseFacts(response: SipResponse): ResponseFacts {
  const facts: Growing<ResponseFacts> = messageFacts(response, { status: response.status });
  const retryAfter = leadingNumber(response.header('Retry-After'));
  if (retryAfter !== undefined) facts.retryAfter = retryAfter;
  return facts;
}

/** One object that grows: every request and response of every call comes through here. */
function messageFacts<Own>(message: SipMessage, own: Own): Growing<MessageFacts> & Own {
  // ACK and BYE settle nothing about the dialog (12.2.1.2: they are no target refresh); what they demand was judged before.
  const ends = message.cseq.method === 'ACK' || message.cseq.method === 'BYE';
  const facts: Growing<MessageFacts> & Own = {
    ...own,
    callId: message.callId,
    cseq: message.cseq.seq,
    method: message.cseq.method,
    from: addressOf(message.from),
    to: addressOf(message.to),
    fromTag: message.from.tag ?? '',
    toTag: message.to.tag ?? '',
    recordRoute: ends ? NONE : recordRouteOf(message),
    supported: ends ? NONE : message.list('Supported').map(lower),
    require: ends ? NONE : message.list('Require').map(lower),
  };
  if (ends) return withSdp(message, facts);
  const contacts = message.contacts;
  const target = contacts.ok ? contacts.value[0]?.uriText : undefined;
  if (target !== undefined) facts.target = target;
  const allow = message.list('Allow');
  if (allow.length > 0) facts.allow = allow;
  const sessionExpires = sessionExpiresOf(message.header('Session-Expires'));
  if (sessionExpires !== undefined) facts.sessionExpires = sessionExpires;
  const minSe = leadingNumber(message.header('Min-SE'));
  if (minSe !== undefined) facts.minSe = minSe;
  const rseq = leadingNumber(message.header('RSeq'));
  if (rseq !== undefined) facts.rseq = rseq;
  return withSdp(message, facts);
}

function withSdp<Facts extends Growing<MessageFacts>>(message: SipMessage, facts: Facts): Facts {
  const body =
    message.contentLength === 0 ? undefined : sessionBody(message.header('Content-Type'), message.body);
  if (body?.ok === true && body.value !== undefined) facts.sdp = body.value;
  // A body without a description in it is another matter: an INVITE may well have none.
  if (body?.ok === false && body.error.code !== 'NoDescription') facts.broken = true;
  return facts;
}

const NONE: readonly string[] = [];

const lower = (text: string): string => text.toLowerCase();

/** Display names are not repeated: they are for people, and this field is read by machines. */
const addressOf = (address: NameAddr): string => {
  const { uriText, parameters } = address;
  if (parameters.length === 0 || (parameters.length === 1 && address.tag !== undefined))
    return `<${uriText}>`;
  const rest = parameters.filter(({ name }) => name !== 'tag');
  return `<${uriText}>${rest.map(({ name, raw }) => (raw === undefined ? `;${name}` : `;${name}=${raw}`)).join('')}`;
};

function recordRouteOf(message: SipMessage): readonly string[] {
  const routes = message.recordRoutes;
  return routes.ok ? routes.value.map(addressOf) : [];
}

/** `1800;refresher=uas` (RFC 4028 4). */
function sessionExpiresOf(field: string | undefined): SessionExpires | undefined {
  const seconds = leadingNumber(field);
  if (field === undefined || seconds === undefined) return undefined;
  const refresher = /;\s?refresher\s?=\s?(uac|uas)\b/i.exec(field)?.[1]?.toLowerCase();
  return refresher === 'uac' || refresher === 'uas' ? { seconds, refresher } : { seconds };
}

function rackOf(field: string | undefined): RequestFacts['rack'] {
  if (field === undefined) return undefined;
  const found = /^(\d{1,10})[ \t]{1,8}(\d{1,10})[ \t]{1,8}([\w-]{1,32})$/.exec(field);
  return found === null
    ? undefined
    : { rseq: Number(found[1]), cseq: Number(found[2]), method: found[3] ?? '' };
}

/** The number a field begins with; parameters and comments behind it are passed over. */
function leadingNumber(field: string | undefined): number | undefined {
  if (field === undefined) return undefined;
  const digits = /^\d{1,10}(?![\w.])/.exec(field)?.[0];
  return digits === undefined ? undefined : Number(digits);
}
