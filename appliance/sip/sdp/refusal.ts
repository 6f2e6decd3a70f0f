import type { Failure } from '#shared/result.ts';

/** The faults of a session description that we judge. */
export type SdpFault =
  /** Breaks the grammar. */
  | 'Malformed'
  /** Larger than we read. */
  | 'TooLarge'
  /** The body is of a type that holds no session description. */
  | 'NoDescription'
  /** No m-line is an audio stream we can be part of. */
  | 'NoAudio'
  /** No voice codec in common, or not the one `codecLimit` demands. */
  | 'NoCodec'
  /** RTP where SRTP is demanded, SRTP where it is forbidden, or no usable key. */
  | 'NoSecurity'
  /** An address we cannot send to. */
  | 'NoAddress'
  /** The answer does not fit our offer (RFC 3264 6). */
  | 'AnswerMismatch';

/** SIP status (RFC 3261 21.4) and code of the Warning field (20.43) each fault leads to. */
const CONSEQUENCE: Readonly<Record<SdpFault, { readonly status: number; readonly warning: number }>> = {
  Malformed: { status: 400, warning: 399 },
  TooLarge: { status: 413, warning: 399 },
  NoDescription: { status: 415, warning: 399 },
  NoAudio: { status: 488, warning: 304 },
  NoCodec: { status: 488, warning: 305 },
  NoSecurity: { status: 488, warning: 302 },
  NoAddress: { status: 488, warning: 301 },
  AnswerMismatch: { status: 488, warning: 399 },
};

/** A refused description. An answer cannot be refused by a response: there `status` goes into the Reason of BYE. */
export interface SdpRefusal extends Failure<SdpFault> {
  readonly status: number;
  readonly warning: number;
}

export const refuse = (
  code: SdpFault,
  reason: string,
  path?: string,
): { readonly ok: false; readonly error: SdpRefusal } => ({
  ok: false,
  error: { code, reason, ...CONSEQUENCE[code], ...(path === undefined ? {} : { path }) },
});

/** Value of the Warning field that tells a peer why (RFC 3261 20.43); `agent` is our host or name. */
export const warningOf = (refusal: SdpRefusal, agent: string): string =>
  `${refusal.warning} ${agent} "${refusal.reason.replaceAll(/[^\x20-\x7e]|["\\]/g, ' ')}"`;
