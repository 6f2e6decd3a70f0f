/** Public face of the SIP message codec: bytes to message, message to bytes. */
export type { FieldIndex } from './field-index.ts';
export { FIELD } from './field-name.ts';
export { DEFAULT_LIMIT, type Limit } from './limit.ts';
export type { Kept, Malformed } from './malformed.ts';
export { type CSeq, type SipMessage, SipRequest, SipResponse } from './message.ts';
export { NameAddr, parseNameAddr } from './name-addr.ts';
export type { Parameter, Parameters } from './parameter.ts';
export { type ParseOptions, parseMessage } from './parse.ts';
export { type Answer, type Answerable, responseTo, type Source } from './respond.ts';
export { reasonOf } from './status.codes.ts';
export { isSip, isTel, type OtherUri, parseUri, type SipUri, type TelUri, type Uri } from './uri.ts';
export { uriEqual } from './uri-equal.ts';
export { MAGIC_COOKIE, parseVia, sameHost, type Via } from './via.ts';
export {
  type HeaderFields,
  isToken,
  type RequestText,
  type ResponseText,
  writeRequest,
  writeResponse,
} from './write.ts';
