import type { Answer, HeaderFields, SipRequest } from '../../../sip/message/index.ts';
import { ICE_FRAGMENT, readIceFragment } from '../../../sip/sdp/index.ts';
import type { LegMedia } from './leg-media.ts';

/** The info package and the option tag are called the same (RFC 8840 5 and 10). */
const TRICKLE_ICE = 'trickle-ice';

/** Fields of an INVITE and its responses for a leg that takes candidates later on (RFC 8840 5, RFC 6086 5.2). */
export const trickleFields = ({ takesTrickle }: Pick<LegMedia, 'takesTrickle'>): HeaderFields =>
  takesTrickle ? FIELDS : NONE;

const FIELDS: HeaderFields = [
  ['Supported', TRICKLE_ICE],
  ['Recv-Info', TRICKLE_ICE],
];
const NONE: HeaderFields = [];

/** Is this INFO about something else than digits: a package (RFC 6086), by its Info-Package field or by its body? */
export const isPackage = (request: SipRequest): boolean =>
  request.contentType === ICE_FRAGMENT || request.header('Info-Package') !== undefined;

/**
 * An INFO of a package: candidates of a WebRTC peer, found after its description. Candidates of an earlier ICE session are
 * received without effect, which is no fault of the peer.
 *
 * @returns what is to be answered, and for the trace what was in it; no address, no secret
 */
export function takePackage(
  media: Pick<LegMedia, 'takesTrickle' | 'trickled'>,
  request: SipRequest,
): { readonly answer: Answer; readonly note?: string } {
  const packages = media.takesTrickle ? TRICKLE_ICE : '';
  const named = request.header('Info-Package')?.split(';')[0]?.trim().toLowerCase() ?? TRICKLE_ICE;
  if (named !== packages) return { answer: { status: 469, headers: [['Recv-Info', packages]] } };
  if (request.contentType !== ICE_FRAGMENT)
    return { answer: { status: 415, headers: [['Accept', ICE_FRAGMENT]] } };
  const read = readIceFragment(request.body);
  if (!read.ok) {
    const headers: HeaderFields = [['Warning', `399 carillon "${read.error.reason}"`]];
    return { answer: { status: read.error.code === 'TooLarge' ? 413 : 400, headers } };
  }
  const notes = read.value.map((fragment) => {
    const known = media.trickled(fragment);
    const { length } = fragment.candidates;
    return `${length} later addresses${fragment.ended ? ', and no more' : ''}${known ? '' : ' (of no connection here)'}`;
  });
  return { answer: { status: 200 }, note: notes.join('; ') };
}
