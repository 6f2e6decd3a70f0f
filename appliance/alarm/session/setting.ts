import type { CallPlan } from '../emergency-list/index.ts';
import type { VoiceDirection, VoiceVia } from '../protocol/index.ts';

/** Destination and device as a session needs them. Frozen when the session begins. */
export interface SessionSetting {
  /** Destination of the device, else of the receiver. SIP address or number. */
  readonly emergencyDestination?: string;
  /** The people who are called instead of `emergencyDestination`; absent: that alone is called. */
  readonly callList?: CallPlan;
  /** Whom its calls lead to instead of where it called; `$1` stands for what it called. */
  readonly destinationRewrite?: string;
  /** The device calls the number it is programmed with. */
  readonly usePredefinedDestination: boolean;
  /** Where the device is called; needed only for devices that want to be called. */
  readonly deviceDestination?: string;
  readonly callbackTimeoutMs: number;
  readonly arcDisconnectClearsCall: boolean;
  readonly controlCommandsEnabled: boolean;
  readonly enforceSpeakListen: 'no' | 'speak' | 'listen';
  readonly analogueVoiceNumber?: string;
  /** Devices are asked to call our voice bridge, from where they are joined with the emergency destination. */
  readonly useVoiceBridge: boolean;
  /** SIP address of our voice bridge. */
  readonly voiceBridge?: string;
  readonly maxSessionDurationS: number;
  /** Time the voice call may take to arrive after the answer. */
  readonly voiceWaitMs: number;
  /** Time between two of our own calls to a device that does not answer. */
  readonly redialMs: number;
  /** Time the device has to hang up after clear-down. */
  readonly clearDownWaitMs: number;
  /** The direction of speech is repeated this often; 0 = the protocol needs no keep-alive. */
  readonly keepAliveMs: number;
}

export const SESSION_SETTING: SessionSetting = Object.freeze({
  usePredefinedDestination: false,
  callbackTimeoutMs: 15_000,
  arcDisconnectClearsCall: true,
  controlCommandsEnabled: true,
  enforceSpeakListen: 'no',
  useVoiceBridge: false,
  maxSessionDurationS: 3600,
  voiceWaitMs: 60_000,
  redialMs: 15_000,
  clearDownWaitMs: 10_000,
  keepAliveMs: 0,
});

export const directionOf = (setting: SessionSetting): VoiceDirection =>
  setting.enforceSpeakListen === 'no' ? 'duplex' : setting.enforceSpeakListen;

export const viaOf = ({ analogueVoiceNumber, voiceBridge, useVoiceBridge }: SessionSetting): VoiceVia => ({
  ...(analogueVoiceNumber !== undefined && { analogueVoiceNumber }),
  ...(voiceBridge !== undefined && { voiceBridge }),
  throughBridge: useVoiceBridge && voiceBridge !== undefined,
});
