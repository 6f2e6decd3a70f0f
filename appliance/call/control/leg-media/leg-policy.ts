import type { LegProfile } from '../../../media/control/index.ts';
import type { CodecName, SrtpPolicy } from '../../../sip/sdp/index.ts';
import type { Trunk } from '../../../sip/trunk/index.ts';

/** The audio settings of one peer, by provisioning. */
export interface LegPolicy {
  readonly profile: LegProfile;
  /** A call to an emergency number: its legs are admitted like those of an alarm. */
  readonly urgent?: true;
  readonly srtp: SrtpPolicy;
  readonly codecs: readonly CodecName[];
  readonly codecLimit?: CodecName;
  readonly preferredCodec?: CodecName;
  /** Expect a NAT in front of the peer, whatever it says. */
  readonly forceRtpRelay: boolean;
  /** The peer is reached by a private network: no latching, addresses are taken as they stand. */
  readonly useVPNConnection: boolean;
  /** A recording session: we hear every stream of the peer, and send none. */
  readonly records?: true;
  /** A recording session of ours: a stream for each of these labels, on which we only send. */
  readonly copies?: readonly string[];
}

export const ORDINARY_POLICY: LegPolicy = Object.freeze<LegPolicy>({
  profile: 'ordinary',
  srtp: 'negotiated',
  codecs: ['PCMA', 'PCMU', 'GSM'],
  forceRtpRelay: false,
  useVPNConnection: false,
});

/** The audio settings of a trunk, over those of the purpose of the call. */
export const trunkPolicy = (
  base: LegPolicy,
  { srtp, codecs, forceRtpRelay }: Pick<Trunk, 'srtp' | 'codecs' | 'forceRtpRelay'>,
): LegPolicy => ({ ...base, srtp, codecs, forceRtpRelay: forceRtpRelay || base.forceRtpRelay });

/** The peer is a recording client: its streams are heard, whatever device or trunk it is. */
export const RECORDER_POLICY: LegPolicy = Object.freeze<LegPolicy>({ ...ORDINARY_POLICY, records: true });

/** Codecs that tones pass unharmed. */
export const ALARM_POLICY: LegPolicy = Object.freeze<LegPolicy>({
  ...ORDINARY_POLICY,
  profile: 'alarm',
  codecs: ['PCMA', 'PCMU'],
});
