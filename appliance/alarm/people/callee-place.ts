import type { PlacedCall } from '../../call/control/index.ts';
import { ALARM_POLICY, bridgeDialPlan, type CallControl, type DialPlan } from '../../call/control/index.ts';
import type { ReplicatedBridge } from '../../replica/index.ts';

/* Where the calls to people lead, and whom they show as their caller. */

/** The bridge was removed meanwhile, or the list is that of a device: its people are called all the more. */
const OWN_PLAN: DialPlan = {
  policy: ALARM_POLICY,
  relay: {},
  straight: false,
  trunkGroupId: undefined,
  mayReachServices: false,
};

/** Devices and trunks of the tenant, never a service of ours. */
export function calleePlan(bridge: ReplicatedBridge | undefined, trunkGroupId: string | undefined): DialPlan {
  const own = bridge === undefined ? OWN_PLAN : bridgeDialPlan(bridge, trunkGroupId);
  return { ...own, trunkGroupId, straight: false, mayReachServices: false };
}

/** Why a destination is not called: it is a receiver or a program of ours, an address outside, or the device of the alarm itself. */
export function calleeRefusal(
  calls: Pick<CallControl, 'routeTo'>,
  destination: string,
  plan: DialPlan,
  { deviceId, sipFrom }: { readonly deviceId?: string | undefined; readonly sipFrom?: string },
): string | undefined {
  const route = calls.routeTo(destination, plan);
  if (route.kind === 'refused') return route.text;
  if (route.kind === 'number')
    return route.number === sipFrom ? 'it is the number of the device itself' : undefined;
  if (route.kind !== 'device') return 'it is neither a device of the tenant nor reached by a trunk of it';
  const isItself = route.deviceId === deviceId || route.deviceId === sipFrom;
  return isItself ? 'it is the device itself' : undefined;
}

/** A callee sees a receiver: no name of a person. */
export const calleeOrigin = (domain: string, user: string): PlacedCall['origin'] => ({
  ...{ display: '', user, host: domain, hidden: false, trusted: false, fields: [], hopsLeft: 70 },
});
