import { reasonOf, type SipResponse } from '../../../sip/message/index.ts';
import { readReason } from '../../session/index.ts';

/** Longest text of a peer that goes on to applications and alarms, characters. */
const LONGEST = 200;
/** RFC 3261 20.43: 399 is text for a person. */
const WARNING = /^\s{0,4}399 [^\s"]{1,256} "([^"\\]{1,200})"/;

/**
 * Why a call of ours came to nothing, in the words of the peer: the text of its Reason field (RFC 3326), else its Warning
 * for a person, else the reason phrase of its final response. Without a response of this status it is our own sentence.
 */
export function failureWords(status: number, final: SipResponse | undefined, waitedMs: number): string {
  if (final?.status !== status) return withoutAnswer(status, waitedMs);
  const reason = readReason(final.header('Reason'))?.text;
  const warning = WARNING.exec(final.header('Warning') ?? '')?.[1];
  return [reason, warning, final.reason].map(shown).find((text) => text !== '') ?? reasonOf(status);
}

function withoutAnswer(status: number, waitedMs: number): string {
  if (status === 408) return `no answer to the INVITE in ${waitedMs / 1_000} s`;
  if (status === 487) return 'the INVITE was cancelled';
  if (status === 503) return 'the INVITE could not be sent: the transport failed';
  return reasonOf(status);
}

const shown = (text: string | undefined): string =>
  (text ?? '')
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, LONGEST);
