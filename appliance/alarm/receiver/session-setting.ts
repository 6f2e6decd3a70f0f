import type { Device } from '#shared/contract/provisioning/index.ts';
import type { SessionSetting } from '../session/index.ts';
import { callPlanOf } from './call-plan.ts';
import type { ReceiverBridge } from './receiver-bridge.ts';

/** The offer of this site to devices, whatever the tenant. */
export interface SiteVoice {
  /** SIP address of our voice bridge, with `sip:`. */
  readonly voiceBridge?: string;
}

/** The times that a protocol needs in a call, ms. */
export interface SpeechTimes {
  /** The direction of speech is repeated this often. */
  readonly directionRepeatMs: number;
  /** Time the device has to hang up after clear-down. */
  readonly clearDownWaitMs: number;
}

/**
 * Speech settings of the event sender of a bridge (provisioning document 2.3): for alarms that are sent on, they go
 * first.
 */
export interface EventSenderVoice {
  readonly analogueVoiceNumber?: string | undefined;
  readonly useVoiceBridge?: boolean | undefined;
  /** Longest call of an alarm, s. */
  readonly maxSessionDuration?: number | undefined;
}

/** The settings of one session: bridge and device as they are provisioned now. */
export function sessionSetting(
  bridge: ReceiverBridge,
  device: Device | undefined,
  site: SiteVoice,
  speech?: SpeechTimes,
  sender?: EventSenderVoice,
): Partial<SessionSetting> {
  const own = device?.serviceData?.alarmBridge;
  const emergencyDestination = firstOf(own?.emergencyDestination, bridge.defaultEmergencyDestination);
  const list = own?.emergencyCallList ?? bridge.emergencyCallList;
  const deviceDestination = firstOf(own?.voiceDestination);
  const analogueVoiceNumber = firstOf(sender?.analogueVoiceNumber, bridge.analogueVoiceNumber);
  const destinationRewrite = firstOf(own?.destinationRewrite);
  return Object.freeze({
    ...(emergencyDestination !== undefined && { emergencyDestination }),
    // Its string stands beside it, for programs that know no list.
    ...(list !== undefined && emergencyDestination !== undefined && { callList: callPlanOf(list) }),
    ...(deviceDestination !== undefined && { deviceDestination }),
    ...(destinationRewrite !== undefined && { destinationRewrite }),
    ...(analogueVoiceNumber !== undefined && { analogueVoiceNumber }),
    ...(site.voiceBridge !== undefined && { voiceBridge: site.voiceBridge }),
    usePredefinedDestination: own?.usePredefinedDestination ?? false,
    callbackTimeoutMs: bridge.callbackTimeout,
    arcDisconnectClearsCall: bridge.arcDisconnectClearsCall,
    controlCommandsEnabled: bridge.controlCommandsEnabled,
    enforceSpeakListen: bridge.enforceSpeakListen ?? 'no',
    useVoiceBridge: bridge.useVoiceBridge || sender?.useVoiceBridge === true,
    keepAliveMs: bridge.controlCommandsEnabled ? (speech?.directionRepeatMs ?? 0) : 0,
    ...(sender?.maxSessionDuration !== undefined && { maxSessionDurationS: sender.maxSessionDuration }),
    ...(speech !== undefined && { clearDownWaitMs: speech.clearDownWaitMs }),
  });
}

/** The first number that is there; an empty one was stored for none, and calling it reaches no person. */
const firstOf = (...numbers: readonly (string | undefined)[]): string | undefined =>
  numbers.find((number) => number !== undefined && number.trim() !== '');
