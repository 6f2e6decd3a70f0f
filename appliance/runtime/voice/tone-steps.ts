import type { Device } from '#shared/contract/provisioning/index.ts';
import { BS8521_PROFILE, bs8521Protocol } from '../../alarm/protocol/bs8521/index.ts';
import { contactIdProtocol } from '../../alarm/protocol/contact-id/index.ts';
import { cpcProtocol, p100Protocol } from '../../alarm/protocol/lift/index.ts';
import { changedProfile, type ProbeStep, type ToneProtocol } from '../../alarm/protocol/tone/index.ts';
import { TT92_COMBINED, TT92_PROFILE, TTNEW_PROFILE, ttProtocol } from '../../alarm/protocol/tt/index.ts';
import { protocolFor, type ReceiverBridge } from '../../alarm/receiver/index.ts';

/** How a call is asked for its alarm: protocols in their order, and how long a device may lead before. */
export interface ToneSteps {
  readonly steps: readonly ProbeStep[];
  readonly listenMs: number;
}

/** Time for a device that begins by itself on a number of several protocols (protocols 11). */
const LISTEN_MS = 1_500;

/** Order and number of requests on a number of several protocols. */
const PROBES: readonly { readonly name: string; readonly tries: number }[] = [
  { name: 'bs8521', tries: 2 },
  { name: 'ttnew', tries: 2 },
  { name: 'tt92', tries: 2 },
  { name: 'contactId', tries: 1 },
  { name: 'p100', tries: 1 },
];

/**
 * What to ask a caller. `remembered`: the protocol this number spoke last time, tried first. Undefined: the bridge
 * takes calls as they are (`voicecall`, `call`), or its protocol has no tones that are known.
 */
export function toneSteps(
  bridge: ReceiverBridge,
  device: Device | undefined,
  remembered: string | undefined,
): ToneSteps | undefined {
  const name = protocolFor(bridge, device, 'call');
  if (name === undefined || name === 'voicecall' || name === 'call') return undefined;
  if (name !== 'multiprotocol') {
    const protocol = toneProtocol(name, bridge);
    return protocol && { steps: [{ protocol }], listenMs: 0 };
  }
  const first = PROBES.filter((probe) => probe.name === remembered);
  const steps = [...first, ...PROBES.filter((probe) => probe.name !== remembered)].flatMap(
    ({ name: one, tries }): ProbeStep[] => {
      const protocol = toneProtocol(one, bridge);
      return protocol === undefined ? [] : [{ protocol, tries }];
    },
  );
  return { steps, listenMs: LISTEN_MS };
}

/** The one more try that `fallbackAlarmProtocol` gives a caller who said nothing that could be read. */
export function fallbackSteps(bridge: ReceiverBridge, tried: readonly ProbeStep[]): ToneSteps | undefined {
  const name = 'fallbackAlarmProtocol' in bridge ? bridge.fallbackAlarmProtocol : undefined;
  if (name === undefined || tried.some(({ protocol }) => protocol.name === name)) return undefined;
  const protocol = toneProtocol(name, bridge);
  return protocol && { steps: [{ protocol }], listenMs: 0 };
}

/** A protocol with the values of this receiver in its profile. */
function toneProtocol(name: string, bridge: ReceiverBridge): ToneProtocol | undefined {
  switch (name) {
    case 'bs8521': {
      const repeatEveryMs = 'dataRequestInterval' in bridge ? bridge.dataRequestInterval : undefined;
      const change = repeatEveryMs === undefined ? {} : { trigger: { repeatEveryMs } };
      return bs8521Protocol(changedProfile(BS8521_PROFILE, change));
    }
    case 'tt92': {
      const combined = isCombined(bridge) ? { trigger: { send: TT92_COMBINED } } : {};
      return ttProtocol('tt92', changedProfile(TT92_PROFILE, combined));
    }
    case 'ttnew':
      return ttProtocol('ttnew', TTNEW_PROFILE);
    case 'p100':
      return p100Protocol();
    case 'cpc-antenna':
      return cpcProtocol();
    case 'contactId':
      return contactIdProtocol();
    default:
      return undefined;
  }
}

/** `protocolMode: dtmf` says that the units of this number hear DTMF: no sequential tones then. */
const isCombined = (bridge: ReceiverBridge): boolean =>
  'toneSettings' in bridge &&
  bridge.toneSettings?.dataRequestType === 'combined' &&
  !('protocolMode' in bridge && bridge.protocolMode === 'dtmf');
