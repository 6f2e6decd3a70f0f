import { ok, type Result } from '#shared/result.ts';
import type { Stream, StreamSecurity } from './agreement.ts';
import { SUITES } from './crypto.ts';
import type { CryptoLine, MediaDescription } from './description.ts';
import { refuse, type SdpRefusal } from './refusal.ts';
import { isDtlsProfile, type SecureTransport } from './secure-transport.ts';

/** `srtp` of a device or trunk. */
export type SrtpPolicy = 'never' | 'always' | 'alwaysWithTLS' | 'negotiated';

/*
 *                 our offer                    RTP/SAVP offered   RTP/AVP + crypto   RTP/AVP
 *   never         RTP/AVP                      488                RTP, no crypto     RTP
 *   always        RTP/SAVP + crypto            SRTP               SRTP               488
 *   negotiated    RTP/AVP + crypto (RFC 8643)  SRTP               SRTP               RTP
 *   alwaysWithTLS is `always` when signalling is by TLS, else `never`
 *
 * Chosen: without TLS the keys could be read by anybody on the path, so `alwaysWithTLS` then does not pretend.
 * Chosen: `always` takes RTP/AVP with keys: what counts is that the audio is encrypted.
 */
type Rule = 'never' | 'always' | 'negotiated';

export const ruleOf = (policy: SrtpPolicy, secureSignalling: boolean): Rule => {
  if (policy !== 'alwaysWithTLS') return policy;
  return secureSignalling ? 'always' : 'never';
};

export interface OfferedSecurity {
  readonly protocol: string;
  readonly crypto: readonly CryptoLine[];
}

/** The security of our offer. An earlier agreement stays, with its key: a new one would restart SRTP. */
export function offeredSecurity(
  rule: Rule,
  newKey: () => Uint8Array,
  before: Stream | null,
): OfferedSecurity {
  if (before !== null) return { protocol: before.protocol, crypto: before.srtp ? [lineOf(before.srtp)] : [] };
  if (rule === 'never') return { protocol: 'RTP/AVP', crypto: [] };
  const crypto = SUITES.map((suite, index) => ({ tag: index + 1, suite, key: newKey() }));
  return { protocol: rule === 'always' ? 'RTP/SAVP' : 'RTP/AVP', crypto };
}

const lineOf = ({ suite, sendKey }: StreamSecurity): CryptoLine => ({ tag: 1, suite, key: sendKey });

export interface AnsweredSecurity extends OfferedSecurity {
  readonly srtp?: StreamSecurity;
}

const PLAIN: readonly string[] = ['RTP/AVP', 'RTP/AVPF'];
const SECURE: readonly string[] = ['RTP/SAVP', 'RTP/SAVPF'];

/** Our answer to the security of an offered m-line (RFC 4568 5.1.2: the offerer's first usable line). */
export function answeredSecurity(
  rule: Rule,
  offered: MediaDescription,
  newKey: () => Uint8Array,
  before: Stream | null,
  transport?: SecureTransport,
): Result<AnsweredSecurity, SdpRefusal> {
  const { protocol } = offered;
  if (isDtlsProfile(protocol)) return answeredHandshake(offered, transport);
  const secure = SECURE.includes(protocol);
  if (!secure && !PLAIN.includes(protocol)) return refuse('NoSecurity', `${protocol} is not spoken here`);
  const line = offered.crypto[0];
  if (rule === 'never') return secure ? refuse('NoSecurity', 'SRTP is not allowed here') : plain(protocol);
  if (line === undefined) {
    if (secure) return refuse('NoSecurity', 'no usable key for SRTP was offered');
    return rule === 'always' ? refuse('NoSecurity', 'SRTP is demanded here') : plain(protocol);
  }
  const kept = before?.srtp?.suite === line.suite ? before.srtp.sendKey : undefined;
  const sendKey = kept ?? newKey();
  const srtp = { suite: line.suite, sendKey, receiveKey: line.key };
  return ok({ protocol, crypto: [{ tag: line.tag, suite: line.suite, key: sendKey }], srtp });
}

/** A WebRTC stream is encrypted whatever the policy says of keys in the signalling. */
function answeredHandshake(
  offered: MediaDescription,
  transport: SecureTransport | undefined,
): Result<AnsweredSecurity, SdpRefusal> {
  if (transport === undefined) return refuse('NoSecurity', `${offered.protocol} is not spoken here`);
  if (offered.transport === undefined)
    return refuse('NoSecurity', 'a WebRTC stream has ice-ufrag, ice-pwd, fingerprint and setup');
  if (!offered.rtcpMux) return refuse('NoSecurity', 'a WebRTC stream has RTCP on its port (rtcp-mux)');
  return plain(offered.protocol);
}

const plain = (protocol: string): Result<AnsweredSecurity, SdpRefusal> => ok({ protocol, crypto: [] });

/** The result of the answer to our offer: its one line names one of ours by tag and suite (RFC 4568 5.1.3). */
export function agreedSecurity(
  offered: MediaDescription,
  answered: MediaDescription,
): Result<StreamSecurity | undefined, SdpRefusal> {
  const secure = SECURE.includes(offered.protocol);
  if (answered.protocol !== offered.protocol)
    return refuse('AnswerMismatch', `${answered.protocol} answers ${offered.protocol}`);
  if (isDtlsProfile(offered.protocol)) return agreedHandshake(answered);
  const line = answered.crypto[0];
  if (line === undefined)
    return secure ? refuse('NoSecurity', 'the answer holds no usable key for SRTP') : ok(undefined);
  const ours = offered.crypto.find(({ tag, suite }) => tag === line.tag && suite === line.suite);
  if (ours === undefined) {
    // A plain offer without keys stays plain whatever comes back.
    return offered.crypto.length === 0 ? ok(undefined) : refuse('AnswerMismatch', 'a key we never offered');
  }
  return ok({ suite: ours.suite, sendKey: ours.key, receiveKey: line.key });
}

/** RFC 5763 5: the answer decides who begins. */
function agreedHandshake({ transport, rtcpMux }: MediaDescription): Result<undefined, SdpRefusal> {
  if (transport === undefined)
    return refuse('NoSecurity', 'the answer names no certificate, or no way to it');
  if (transport.setup === 'actpass')
    return refuse('AnswerMismatch', 'the answer leaves open who begins (setup)');
  return rtcpMux ? ok(undefined) : refuse('AnswerMismatch', 'the answer wants RTCP on a port of its own');
}
