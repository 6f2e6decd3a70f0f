import type { Device } from '#shared/contract/provisioning/index.ts';
import type { SessionSetting } from '../session/index.ts';
import type { ReceiverBridge } from './receiver.ts';

/** What this site offers to devices, whatever the tenant. */
export interface SiteVoice {
  /** SIP address of our voice bridge, with `sip:`. */
  readonly voiceBridge?: string;
}

/** The settings of one session: bridge and device as they are provisioned now. */
export function sessionSetting(
  bridge: ReceiverBridge,
  device: Device | undefined,
  site: SiteVoice,
  keepAliveMs = 0,
): Partial<SessionSetting> {
  const own = device?.serviceData?.alarmBridge;
  const emergencyDestination = own?.emergencyDestination ?? bridge.defaultEmergencyDestination;
  const deviceDestination = own?.voiceDestination;
  const { analogueVoiceNumber } = bridge;
  return Object.freeze({
    ...(emergencyDestination !== undefined && { emergencyDestination }),
    ...(deviceDestination !== undefined && { deviceDestination }),
    ...(analogueVoiceNumber !== undefined && { analogueVoiceNumber }),
    ...(site.voiceBridge !== undefined && { voiceBridge: site.voiceBridge }),
    usePredefinedDestination: own?.usePredefinedDestination ?? false,
    callbackTimeoutMs: bridge.callbackTimeout,
    arcDisconnectClearsCall: bridge.arcDisconnectClearsCall,
    controlCommandsEnabled: bridge.controlCommandsEnabled,
    enforceSpeakListen: bridge.enforceSpeakListen ?? 'no',
    useVoiceBridge: bridge.useVoiceBridge,
    keepAliveMs: bridge.controlCommandsEnabled ? keepAliveMs : 0,
  });
}
