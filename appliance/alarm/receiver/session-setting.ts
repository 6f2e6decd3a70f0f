import type { Device } from '#shared/contract/provisioning/index.ts';
import type { SessionSetting } from '../session/index.ts';
import type { ReceiverBridge } from './receiver.ts';

/** What this site offers to devices, whatever the tenant. */
export interface SiteVoice {
  /** SIP address of our voice bridge, with `sip:`. */
  readonly voiceBridge?: string;
}

/** What a protocol needs in a call, ms. */
export interface SpeechTimes {
  /** The direction of speech is repeated this often. */
  readonly directionRepeatMs: number;
  /** Time the device has to hang up after clear-down. */
  readonly clearDownWaitMs: number;
}

/** The settings of one session: bridge and device as they are provisioned now. */
export function sessionSetting(
  bridge: ReceiverBridge,
  device: Device | undefined,
  site: SiteVoice,
  speech?: SpeechTimes,
): Partial<SessionSetting> {
  const own = device?.serviceData?.alarmBridge;
  const emergencyDestination = own?.emergencyDestination ?? bridge.defaultEmergencyDestination;
  const deviceDestination = own?.voiceDestination;
  const { analogueVoiceNumber } = bridge;
  const destinationRewrite = own?.destinationRewrite;
  return Object.freeze({
    ...(emergencyDestination !== undefined && { emergencyDestination }),
    ...(deviceDestination !== undefined && { deviceDestination }),
    ...(destinationRewrite !== undefined && { destinationRewrite }),
    ...(analogueVoiceNumber !== undefined && { analogueVoiceNumber }),
    ...(site.voiceBridge !== undefined && { voiceBridge: site.voiceBridge }),
    usePredefinedDestination: own?.usePredefinedDestination ?? false,
    callbackTimeoutMs: bridge.callbackTimeout,
    arcDisconnectClearsCall: bridge.arcDisconnectClearsCall,
    controlCommandsEnabled: bridge.controlCommandsEnabled,
    enforceSpeakListen: bridge.enforceSpeakListen ?? 'no',
    useVoiceBridge: bridge.useVoiceBridge,
    keepAliveMs: bridge.controlCommandsEnabled ? (speech?.directionRepeatMs ?? 0) : 0,
    ...(speech !== undefined && { clearDownWaitMs: speech.clearDownWaitMs }),
  });
}
