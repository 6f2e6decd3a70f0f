import type { DigitRelay } from '../../../media/control/index.ts';
import type { ReplicatedBridge } from '../../../replica/index.ts';
import type { Caller } from '../../route/index.ts';
import { ALARM_POLICY, type LegPolicy, ORDINARY_POLICY } from '../leg-media/leg-media.ts';

/** How others are dialled for a call, by what is provisioned for its caller and its bridge. */
export interface DialPlan {
  /** Audio of whoever is called; a device or trunk puts its own SRTP and codecs in. */
  readonly policy: LegPolicy;
  /** How digits pass between the party that called (a) and its peer (b). */
  readonly relay: { readonly aToB?: DigitRelay; readonly bToA?: DigitRelay };
  /** Audio runs straight between the two once both have answered. */
  readonly straight: boolean;
  /** Which trunks may be used. */
  readonly trunkGroupId: string | undefined;
  /** May it end at a receiver or a service of ours? */
  readonly mayReachServices: boolean;
}

export const ORDINARY_PLAN: DialPlan = Object.freeze<DialPlan>({
  policy: ORDINARY_POLICY,
  relay: {},
  straight: false,
  trunkGroupId: undefined,
  mayReachServices: true,
});

export function dialPlanOf(caller: Caller, bridge: ReplicatedBridge | undefined): DialPlan {
  const trunkGroupId = caller.kind === 'trunk' ? undefined : caller.trunkGroupId;
  return bridge === undefined ? { ...ORDINARY_PLAN, trunkGroupId } : bridgeDialPlan(bridge, trunkGroupId);
}

/** For a call of an alarm bridge, its own or that of a device. */
export function bridgeDialPlan(bridge: ReplicatedBridge, trunkGroupId: string | undefined): DialPlan {
  return {
    policy: alarmPolicy(bridge),
    relay: relayOf(bridge),
    // Recorded audio must pass by us.
    straight: !bridge.controlCommandsEnabled && !bridge.auditRecording,
    trunkGroupId,
    mayReachServices: bridge.enforceIvrDestination,
  };
}

export const alarmPolicy = ({ useVPNConnection }: ReplicatedBridge): LegPolicy => ({
  ...ALARM_POLICY,
  useVPNConnection,
});

/** `toneSettings` of a bridge (provisioning document 2.1): `inaudio` unless it says otherwise (media 9). */
function relayOf({ toneSettings }: ReplicatedBridge): DialPlan['relay'] {
  const both = toneSettings?.dtmfSendType;
  return {
    aToB: formOf(toneSettings?.calleeDtmfSendType ?? both),
    bToA: formOf(toneSettings?.callerDtmfSendType ?? both),
  };
}

const formOf = (type: string | undefined): DigitRelay => ({ as: type === '2833' ? 'rfc4733' : 'inband' });
