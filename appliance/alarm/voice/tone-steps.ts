import type { Device } from '#shared/contract/provisioning/index.ts';
import type { Listening } from '../../media/control/index.ts';
import type { ProfileTables } from '../profile/index.ts';
import { bs8521Protocol } from '../protocol/bs8521/index.ts';
import { contactIdProtocol } from '../protocol/contact-id/index.ts';
import { cpcProtocol, p100Protocol, twonProtocol } from '../protocol/lift/index.ts';
import { openToneProtocol } from '../protocol/open-tone/index.ts';
import {
  changedProfile,
  lengthMs,
  type ProbeStep,
  type ToneProfile,
  type ToneProtocol,
} from '../protocol/tone/index.ts';
import { ttProtocol } from '../protocol/tt/index.ts';
import { isSchemeType, protocolFor, type ReceiverBridge } from '../receiver/index.ts';

/** How a call is asked for its alarm: protocols in their order, and how long a device may lead before. */
export interface ToneSteps {
  readonly steps: readonly ProbeStep[];
  readonly listenMs: number;
}

/** Tones a device may say beside digits: the enquiry of BS 8521, the handshakes of other families. */
const SINGLE_TONES = [{ hz: 1850, minMs: 150 }, { hz: 1400 }, { hz: 2300 }];

/**
 * Signals that a caller is listened to for: sequential tones where it is asked in them; its answer may come in any
 * form.
 */
export function listeningFor(asked: ToneSteps | undefined): Listening {
  const stmf = asked?.steps
    .map(({ protocol: { profile } }) => profile)
    .find(({ trigger }) => trigger.send.some((tone) => 'stmf' in tone))?.stmf;
  return { profile: 'alarm', digits: true, tones: SINGLE_TONES, ...(stmf !== undefined && { stmf }) };
}

/** Value of `dataRequestInterval` that stands in every bridge that does not name one. */
const USUAL_INTERVAL_MS = 1_600;

/**
 * Steps in which a caller is asked. `remembered`: the protocol that this number spoke last time, tried first.
 * Undefined: the bridge takes calls as they are (`voicecall`, `call`), or its protocol has no tones that are known, or
 * is switched off.
 */
export function toneSteps(
  bridge: ReceiverBridge,
  device: Device | undefined,
  remembered: string | undefined,
  profiles: ProfileTables,
): ToneSteps | undefined {
  const name = protocolFor(bridge, device, 'call');
  if (name === undefined || name === 'voicecall' || name === 'call') return undefined;
  const isScheme = isSchemeType(device?.deviceType);
  if (name !== 'multiprotocol') {
    const protocol = toneProtocol(name, bridge, profiles, { isScheme });
    return protocol && { steps: [{ protocol }], listenMs: 0 };
  }
  const { listenMs, steps: probes } = profiles.probing(bridge.protocolProfile);
  const first = probes.filter(({ profile }) => profile === remembered);
  const steps = [...first, ...probes.filter(({ profile }) => profile !== remembered)].flatMap(
    ({ profile, tries }): ProbeStep[] => {
      const protocol = toneProtocol(profile, bridge, profiles, { isScheme, among: true });
      return protocol === undefined ? [] : [{ protocol, tries }];
    },
  );
  return { steps, listenMs };
}

/** The one more try that `fallbackAlarmProtocol` gives a caller who said nothing that could be read. */
export function fallbackSteps(
  bridge: ReceiverBridge,
  tried: readonly ProbeStep[],
  profiles: ProfileTables,
): ToneSteps | undefined {
  const name = 'fallbackAlarmProtocol' in bridge ? bridge.fallbackAlarmProtocol : undefined;
  if (name === undefined || tried.some(({ protocol }) => protocol.name === name)) return undefined;
  const protocol = toneProtocol(name, bridge, profiles);
  return protocol && { steps: [{ protocol }], listenMs: 0 };
}

/** The protocol of a device that is called, as it is spoken at this receiver; undefined: it has no tones, or is off. */
export function calledSteps(
  name: string,
  bridge: ReceiverBridge,
  profiles: ProfileTables,
): readonly ProbeStep[] | undefined {
  const protocol = toneProtocol(name, bridge, profiles);
  return protocol && [{ protocol }];
}

interface Caller {
  /** Others are tried beside it. */
  readonly among?: boolean;
  /** It is provisioned as a controller or unit of a group scheme. */
  readonly isScheme?: boolean;
}

/** A protocol as it is spoken at this receiver. */
function toneProtocol(
  name: string,
  bridge: ReceiverBridge,
  profiles: ProfileTables,
  caller: Caller = {},
): ToneProtocol | undefined {
  const named = bridge.protocolProfile;
  const made = MAKERS[name]?.(bridge, profiles, caller);
  return made !== undefined && profiles.isOn(name as ToneName, named) ? made : undefined;
}

type ToneName = Parameters<ProfileTables['isOn']>[0];
type Maker = (bridge: ReceiverBridge, profiles: ProfileTables, caller: Caller) => ToneProtocol;

const MAKERS: Readonly<Record<string, Maker>> = {
  bs8521: (bridge, profiles, { isScheme = false }) => {
    const named = bridge.protocolProfile;
    const profile = profiles.bs8521(named);
    const wanted = bridge.dataRequestInterval;
    // Chosen: the interval of the profile, unless the bridge names another than the usual one.
    const own = wanted === USUAL_INTERVAL_MS ? profiles.ownRequestInterval(named) : undefined;
    const trigger = { ...profile.trigger, repeatEveryMs: own ?? wanted };
    return bs8521Protocol(
      changedProfile(profile, { trigger: isScheme ? toScheme(trigger, profile.groupRequestMs) : trigger }),
    );
  },
  tt92: (bridge, profiles) => {
    const profile = profiles.tt92(bridge.protocolProfile);
    const asked = isCombined(bridge) ? profile.combined : undefined;
    const send = (asked ?? profile.trigger.send).map((tone) =>
      'stmf' in tone && profile.stmf !== undefined ? { ...tone, times: profile.stmf } : tone,
    );
    return ttProtocol('tt92', changedProfile(profile, { trigger: { send } }));
  },
  ttnew: (bridge, profiles) => ttProtocol('ttnew', profiles.ttnew(bridge.protocolProfile)),
  p100: (bridge, profiles) => p100Protocol(profiles.p100(bridge.protocolProfile)),
  contactId: (bridge, profiles) => contactIdProtocol(profiles.contactId(bridge.protocolProfile)),
  'cpc-antenna': (bridge, profiles, { among = false }) =>
    cpcProtocol(profiles.cpc(bridge.protocolProfile), among),
  'twon-text': (bridge, profiles) => twonProtocol(profiles.twon(bridge.protocolProfile)),
  rb2000: (bridge, profiles) => openToneProtocol('rb2000', profiles.rb2000(bridge.protocolProfile)),
};

/** A longer request (protocols 5). `Chosen:` the pause behind it stays, so that a scheme has as long to begin as a unit. */
function toScheme(trigger: ToneProfile['trigger'], requestMs: number): ToneProfile['trigger'] {
  const send = trigger.send.map((tone) =>
    'digit' in tone && tone.ms < requestMs ? { ...tone, ms: requestMs } : tone,
  );
  const repeatEveryMs = trigger.repeatEveryMs + lengthMs(send) - lengthMs(trigger.send);
  return { ...trigger, send, repeatEveryMs };
}

/** `protocolMode: dtmf` says that the units of this number hear DTMF: no sequential tones then. */
const isCombined = (bridge: ReceiverBridge): boolean =>
  bridge.toneSettings?.dataRequestType === 'combined' && bridge.protocolMode !== 'dtmf';
