import {
  type Answer,
  FIELD,
  type HeaderFields,
  isSip,
  isToken,
  type SipRequest,
  type Uri,
} from '../message/index.ts';

/**
 * The capabilities of this element, and the few questions only the transaction user can answer. One object, used both to refuse
 * unsupported requests and to answer OPTIONS: so OPTIONS cannot lie.
 */
export interface Capability {
  /** Methods that are delivered: the Allow field. ACK, CANCEL and OPTIONS are listed like the others. */
  readonly methods: readonly string[];
  /** Media types of bodies, lower case: the Accept field. Bodies of other types are answered 415. */
  readonly accept: readonly string[];
  /** Requests whose bodies the user judges by itself, whatever their type. */
  readonly takesAnyType?: (request: SipRequest) => boolean;
  /** Content codings that are understood beside `identity`: the Accept-Encoding field. Others are answered 415. */
  readonly encodings?: readonly string[];
  /** Requests whose bodies are taken as they are, whatever their Content-Encoding says. */
  readonly takesAnyEncoding?: (request: SipRequest) => boolean;
  /** Option tags: the Supported field. A Require with any other tag is answered 420. */
  readonly supported: readonly string[];
  /** Option tags a method must offer, else 421. */
  readonly demanded?: Readonly<Record<string, readonly string[]>>;
  /** URI schemes of the Request-URI; default sip, sips and tel. Others are answered 416. */
  readonly schemes?: readonly string[];
  /** Is the request one this element would pass on? Then Max-Forwards 0 is answered 483. */
  readonly forwards?: (request: SipRequest) => boolean;
  /** Does the dialog of a request with a To tag exist? Then-false is answered 481. Absent: the user decides. */
  readonly knowsDialog?: (request: SipRequest) => boolean;
  /** Seconds after which to come back: the request is answered 503 with Retry-After (drain, overload). */
  readonly busyForS?: (request: SipRequest) => number | undefined;
}

/** Methods of RFC 3261 and its extensions: known ones that are not offered are 405, unknown ones 501. */
const KNOWN_METHODS: ReadonlySet<string> = new Set(
  'INVITE ACK BYE CANCEL REGISTER OPTIONS PRACK SUBSCRIBE NOTIFY PUBLISH INFO REFER MESSAGE UPDATE'.split(
    ' ',
  ),
);
const DEFAULT_SCHEMES: readonly string[] = ['sip', 'sips', 'tel'];
/** Methods whose Contact is used, so that a broken one cannot be passed over. */
const CONTACT_METHODS: ReadonlySet<string> = new Set(['INVITE', 'REGISTER', 'SUBSCRIBE', 'REFER', 'UPDATE']);

/** The answer to a request that requires thousands of extensions names so many of them. */
const MOST_NAMED = 16;

const allow = (capability: Capability): HeaderFields => [['Allow', capability.methods.join(', ')]];
const encodingsOf = (capability: Capability): readonly string[] => [
  'identity',
  ...(capability.encodings ?? []),
];
const accept = (capability: Capability): HeaderFields => [['Accept', capability.accept.join(', ')]];

/**
 * The checks every request passes before the transaction user sees it, in the order of RFC 3261 8.2: method,
 * Request-URI, required extensions, body, and then the state of this element. undefined: none refuses it.
 */
export function refusal(request: SipRequest, capability: Capability): Answer | undefined {
  return (
    refuseMethod(request, capability) ??
    refuseAddress(request, capability) ??
    refuseExtension(request, capability) ??
    refuseBody(request, capability) ??
    refuseState(request, capability)
  );
}

function refuseMethod(request: SipRequest, capability: Capability): Answer | undefined {
  if (capability.methods.includes(request.method)) return undefined;
  // RFC 3261 8.2.1 and 21.5.2.
  return { status: KNOWN_METHODS.has(request.method) ? 405 : 501, headers: allow(capability) };
}

function refuseAddress(request: SipRequest, capability: Capability): Answer | undefined {
  const uri = request.uri;
  if (!uri.ok) return { status: 400, reason: 'Bad Request-URI' };
  // RFC 3261 19.1.1: header fields have no place in a Request-URI.
  if (isSip(uri.value) && uri.value.headers.length > 0) return { status: 400, reason: 'Bad Request-URI' };
  const { scheme }: Uri = uri.value;
  if (!(capability.schemes ?? DEFAULT_SCHEMES).includes(scheme)) return { status: 416 };
  if (CONTACT_METHODS.has(request.method)) {
    if (!request.contacts.ok) return { status: 400, reason: 'Bad Contact' };
    if (!request.recordRoutes.ok) return { status: 400, reason: 'Bad Record-Route' };
  }
  return undefined;
}

function refuseExtension(request: SipRequest, capability: Capability): Answer | undefined {
  // RFC 3261 8.2.2.3: Require does not bind CANCEL.
  if (request.method === 'CANCEL') return undefined;
  if (request.fields.find(FIELD.require) < 0 && capability.demanded === undefined) return undefined;
  const required = request.list('Require');
  // An option tag is a token (25.1); what is none must not be echoed in Unsupported.
  if (!required.every(isToken)) return { status: 400, reason: 'Bad Require' };
  const unknown = required.filter((tag) => !capability.supported.includes(tag.toLowerCase()));
  if (unknown.length > 0)
    return { status: 420, headers: [['Unsupported', unknown.slice(0, MOST_NAMED).join(', ')]] };
  const demanded = capability.demanded?.[request.method];
  if (demanded === undefined) return undefined;
  const offered = [...request.list('Supported'), ...required].map((tag) => tag.toLowerCase());
  const missing = demanded.filter((tag) => !offered.includes(tag));
  return missing.length > 0 ? { status: 421, headers: [['Require', missing.join(', ')]] } : undefined;
}

function refuseBody(request: SipRequest, capability: Capability): Answer | undefined {
  if (request.contentLength === 0) return undefined;
  // RFC 3261 20.11: a body whose handling is optional may be passed over.
  if (request.header('Content-Disposition')?.toLowerCase().includes('handling=optional')) return undefined;
  const encoding = request.header('Content-Encoding')?.toLowerCase();
  const isUnknown = encoding !== undefined && !encodingsOf(capability).includes(encoding);
  if (isUnknown && capability.takesAnyEncoding?.(request) !== true) {
    return { status: 415, headers: [['Accept-Encoding', encodingsOf(capability).join(', ')]] };
  }
  // Interop: a body without a type is delivered; devices leave it out, and the user can still look inside.
  if (request.fields.find(FIELD.contentType) < 0) return undefined;
  const type = request.contentType;
  if (type === undefined) return { status: 400, reason: 'Bad Content-Type' };
  if (capability.takesAnyType?.(request) === true) return undefined;
  return capability.accept.includes(type) ? undefined : { status: 415, headers: accept(capability) };
}

function refuseState(request: SipRequest, capability: Capability): Answer | undefined {
  if (request.method === 'CANCEL') return undefined;
  if (request.to.tag !== undefined && capability.knowsDialog?.(request) === false) return { status: 481 };
  if (request.maxForwards === 0 && capability.forwards?.(request) === true) return { status: 483 };
  const seconds = capability.busyForS?.(request);
  return seconds === undefined ? undefined : { status: 503, headers: [['Retry-After', String(seconds)]] };
}

/** OPTIONS outside a dialog (RFC 3261 11.2): what can be done, from the same object that decides. */
export const optionsAnswer = (capability: Capability): Answer => ({
  status: 200,
  headers: [
    ...allow(capability),
    ...accept(capability),
    ['Accept-Encoding', encodingsOf(capability).join(', ')],
    ['Accept-Language', 'en'],
    ['Supported', capability.supported.join(', ')],
  ],
});
