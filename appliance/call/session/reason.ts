import type { EndReason, LegEndCause } from './call-input.ts';

const sip = (cause: number, text: string): EndReason => ({ protocol: 'SIP', cause, text });

/** The peer hung up: normal clearing (ITU-T Q.850 16). */
export const NORMAL: EndReason = { protocol: 'Q.850', cause: 16, text: 'Normal call clearing' };

/** Reasons by what happened to a leg; statuses are those a proxy would have given (RFC 3326 2). */
export const REASON_OF: Readonly<Record<LegEndCause, EndReason>> = {
  remote: NORMAL,
  cancelled: sip(487, 'The caller gave up'),
  noAck: sip(408, 'No ACK came'),
  expired: sip(408, 'The session was not refreshed'),
  lost: sip(481, 'The peer is gone'),
};

/** Chosen: causes of a network that has failed (Q.850 2.2.7): destination out of order, class 'resource unavailable', a timer. */
const isNetworkFailure = (cause: number): boolean =>
  cause === 27 || (cause >= 34 && cause <= 47) || cause === 102;

/**
 * The call ended without a hang-up: the peer does not answer any more, its session was not refreshed, its audio cannot be
 * served, or the network between us or our own side has failed. The person at the peer has not ended it.
 */
export const isCutOff = ({ protocol, cause }: EndReason): boolean =>
  protocol === 'SIP'
    ? cause === 408 || cause === 481 || cause === 488 || (cause >= 500 && cause < 600)
    : isNetworkFailure(cause);

export const TOO_LONG = sip(480, 'The call reached its longest duration');
export const SILENT = sip(408, 'RTP media timeout');
/** It sent no audio, and did not answer when it was asked. */
export const PEER_LOST = sip(408, 'The peer is gone');
/** Was the call ended since a peer was heard no more? */
export const isSilence = ({ text }: EndReason): boolean => text === SILENT.text || text === PEER_LOST.text;
export const TRANSFERRED = sip(200, 'The call was transferred');
export const ELSEWHERE = sip(200, 'Call completed elsewhere');
/** A call came to nothing: `text` says why, never only that it failed. */
export const failedWith = (status: number, text: string): EndReason => sip(status, text);

/** Value of the Reason field (RFC 3326 2); characters that would break the quoted text are taken out. */
export const reasonField = ({ protocol, cause, text }: EndReason): string =>
  `${protocol};cause=${cause};text="${text.replaceAll(/[^\x20-\x7e]|["\\]/g, ' ')}"`;

/** Reads the first value of a Reason field; undefined when it says nothing we understand. */
export function readReason(field: string | undefined): EndReason | undefined {
  const found = /^\s{0,4}(SIP|Q\.850)\s{0,4};\s{0,4}cause\s{0,4}=\s{0,4}(\d{1,3})(?!\d)/i.exec(field ?? '');
  if (field === undefined || found === null) return undefined;
  const text = /;\s{0,4}text\s{0,4}=\s{0,4}"([^"\\]{0,200})"/i.exec(field)?.[1] ?? '';
  const protocol = found[1]?.toUpperCase() === 'SIP' ? 'SIP' : 'Q.850';
  return { protocol, cause: Number(found[2]), text };
}
