import { fail, ok, type Result } from '#shared/result.ts';
import { type IceCandidate, readCandidate, writeCandidate } from './candidate.ts';
import { type Fingerprint, readFingerprint, writeFingerprint } from './fingerprint.ts';

/** The side that begins the DTLS handshake (RFC 8842, 5.2): `active` is its client. */
export type DtlsSetup = 'actpass' | 'active' | 'passive';

/** How one side of a WebRTC leg is reached and known: ICE (RFC 8839) and DTLS (RFC 8122, RFC 5763). */
export interface WebRtcTransport {
  readonly ufrag: string;
  /** Never to be logged. */
  readonly pwd: string;
  readonly iceLite: boolean;
  readonly fingerprints: readonly Fingerprint[];
  readonly setup: DtlsSetup;
  readonly candidates: readonly IceCandidate[];
}

/** The same as it stands in a session description: values of the attributes. */
export interface DescribedTransport extends Omit<WebRtcTransport, 'fingerprints' | 'candidates'> {
  readonly fingerprints: readonly string[];
  readonly candidates: readonly string[];
}

/** Refused when no fingerprint is good; candidates that are of no use are passed over. */
export function readTransport(described: DescribedTransport): Result<WebRtcTransport> {
  const read = described.fingerprints.map(readFingerprint);
  const fingerprints = read.flatMap((each) => (each.ok ? [each.value] : []));
  const [fault] = read.flatMap((each) => (each.ok ? [] : [each.error]));
  if (fingerprints.length === 0) {
    return fail(
      'Unsupported',
      fault?.reason ?? 'the description names no certificate (a=fingerprint)',
      'fingerprint',
    );
  }
  const candidates = described.candidates.flatMap((each) => readCandidate(each) ?? []);
  return ok({ ...described, fingerprints, candidates });
}

export const describeTransport = (transport: WebRtcTransport): DescribedTransport => ({
  ...transport,
  fingerprints: transport.fingerprints.map(writeFingerprint),
  candidates: transport.candidates.map(writeCandidate),
});

/** The role in an answer to an offer: the answerer begins, unless the offer wants to (RFC 5763, 5). */
export const answeredSetup = (offered: DtlsSetup): DtlsSetup => (offered === 'active' ? 'passive' : 'active');
