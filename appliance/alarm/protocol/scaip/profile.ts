/** How requests of one destination are read and answered (profile kind `xml`, name `scaip`). Frozen when used. */
export interface ScaipProfile {
  /** `message`: the answer is a MESSAGE of its own; `in200`: it stands in the 200; `both`. */
  readonly responseMode: 'message' | 'in200' | 'both';
  readonly contentType: string;
  /** `*` takes any. */
  readonly contentTypesAccepted: readonly string[];
  /** User part of From against `cid`: not compared, noted as a warning, refused. */
  readonly cidPolicy: 'off' | 'warn' | 'reject';
  /** Numbers offered in one answer. */
  readonly maxTnu: number;
  /** Time without a decision after which the device is asked to hold. */
  readonly holdAfterMs: number;
  /** How long a device waits for an answer after its request; an event stored later is answered on the next repeat. */
  readonly ackWithinMs: number;
  /** Minutes an answer is kept for repeats; also the time a held device may stay away. */
  readonly answerCacheMin: number;
  /** Chosen: longest wait for the missing part of a split request, before what is there is raised as it is. */
  readonly partWaitMs: number;
  readonly voice: ScaipVoiceProfile;
  readonly sender: ScaipSenderProfile;
}

/** How events are sent: SCAIP in the role of the device. */
export interface ScaipSenderProfile {
  /** Time the SIP answer may take, and the SCAIP answer behind it. */
  readonly sipWaitMs: number;
  readonly answerWaitMs: number;
  readonly tries: number;
  /** A receiver that asks to hold is asked again this often, for this many minutes. */
  readonly holdResendMs: number;
  readonly holdLimitMin: number;
  /** The voice call begins within this time. */
  readonly voiceWithinMs: number;
  /** Bodies beyond go deflated (Content-Encoding); null = never: not every receiver inflates. */
  readonly deflateAboveBytes: number | null;
}

export interface ScaipVoiceProfile {
  /** A device that asks to be called is called; else the answer makes it call. */
  readonly callbackWhenAsked: boolean;
  /** Minutes in which the device answers our call by itself, 1 to 60. */
  readonly callbackMinutes: number;
  readonly controlToneMs: number;
  /** The current direction is repeated this often as keep-alive. */
  readonly directionRepeatMs: number;
  readonly clearDownWaitMs: number;
  /** Digit for simplex speech: 7 listen or 8 speak. */
  readonly simplexDefault: '7' | '8';
  /** Medium to name with `cre` 61, when the device offers it; null = the device chooses. */
  readonly predefinedMedium: 'sip' | 'gsm' | null;
}

export const SCAIP_PROFILE: ScaipProfile = Object.freeze({
  responseMode: 'message',
  contentType: 'application/scaip+xml',
  contentTypesAccepted: Object.freeze(['application/scaip+xml', 'application/xml', 'text/xml']),
  cidPolicy: 'warn',
  maxTnu: 1,
  holdAfterMs: 3000,
  // Chosen: what our own sender waits (`sender.answerWaitMs`).
  ackWithinMs: 10_000,
  answerCacheMin: 30,
  partWaitMs: 10_000,
  voice: Object.freeze({
    callbackWhenAsked: true,
    callbackMinutes: 5,
    controlToneMs: 200,
    directionRepeatMs: 60_000,
    clearDownWaitMs: 10_000,
    simplexDefault: '7',
    predefinedMedium: null,
  }),
  sender: Object.freeze({
    sipWaitMs: 5_000,
    answerWaitMs: 10_000,
    tries: 3,
    holdResendMs: 10_000,
    holdLimitMin: 10,
    voiceWithinMs: 60_000,
    deflateAboveBytes: null,
  }),
});

/** The changes of a tenant's own profile; `content` of a protocol profile. */
export type ScaipProfileChange = Partial<Omit<ScaipProfile, 'voice' | 'sender'>> & {
  readonly voice?: Partial<ScaipVoiceProfile>;
  readonly sender?: Partial<ScaipSenderProfile>;
};

/** The built-in profile with a tenant's changes, later ones winning. */
export function scaipProfile(...changes: readonly ScaipProfileChange[]): ScaipProfile {
  let profile = SCAIP_PROFILE;
  for (const { voice, sender, ...rest } of changes) {
    profile = {
      ...profile,
      ...rest,
      voice: { ...profile.voice, ...voice },
      sender: { ...profile.sender, ...sender },
    };
  }
  return profile;
}
