import { parseUri, sameHost } from '../../../sip/message/index.ts';
import type { Caller } from '../../route/index.ts';
import type { TrunkGroup } from '../../trunk/index.ts';
import type { ActiveCall } from '../active-call/active-call.ts';
import type { SipLeg } from '../leg/sip-leg.ts';
import { addressFields } from '../target/address-fields.ts';
import type { CallRouter } from '../target/call-router.ts';
import type { CallTarget, TargetGroups, TargetResolver } from '../target/target-resolver.ts';

/** The peer of a leg. `outside`: at an address that is neither ours nor a trunk's. */
export type LegPeer =
  | Extract<Caller, { readonly kind: 'device' | 'trunk' }>
  | { readonly kind: 'outside'; readonly host: string };

export interface OnwardDependencies {
  readonly router: CallRouter;
  readonly trunks: TrunkGroup;
  readonly targets: TargetResolver;
}

/*
 * Where a peer may send a call on to, by REFER or by 3xx. One rule: it may name whom it could call itself.
 *
 *   a device   whom it may call (`authorized.invite`): devices and programs here, numbers of its trunks, addresses
 *   a trunk    devices and programs here, its own hosts and the addresses of its `ipAllowList`; by REFER also numbers
 *   outside    devices here, its own host
 *
 * Never: a call that came by a trunk leaves by a number or to an address that is not that trunk's.
 */
export class Onward {
  readonly #dependencies: OnwardDependencies;
  readonly #peers = new WeakMap<SipLeg, LegPeer>();

  constructor(dependencies: OnwardDependencies) {
    this.#dependencies = dependencies;
  }

  met(leg: SipLeg, peer: LegPeer): void {
    this.#peers.set(leg, peer);
  }

  peerOf(leg: SipLeg): LegPeer | undefined {
    return this.#peers.get(leg);
  }

  /** @returns the targets behind an address; none: the address leads to none, or the peer of this leg may not name it */
  groups(call: ActiveCall, leg: SipLeg, uri: string, by: 'REFER' | '3xx'): TargetGroups {
    const peer = this.#peers.get(leg);
    if (peer === undefined) return [];
    const { router, targets } = this.#dependencies;
    const { plan, origin } = call;
    if (peer.kind === 'device' && !router.mayCall(peer.deviceId, uri)) return [];
    const trunkGroupId = (peer.kind === 'device' ? peer.trunkGroupId : undefined) ?? plan.trunkGroupId;
    const { hopsLeft } = origin;
    const route = router.routeTo(uri, { hopsLeft, trunkGroupId, mayReachServices: plan.mayReachServices });
    switch (route.kind) {
      case 'device':
        return targets.of(route, plan.policy);
      case 'receiver':
      case 'application':
        return peer.kind === 'outside' ? [] : targets.of(route, plan.policy);
      case 'number':
        return origin.byTrunk !== true &&
          (peer.kind === 'device' || (peer.kind === 'trunk' && by === 'REFER'))
          ? targets.of(route, plan.policy)
          : [];
      case 'address':
        return this.#address(call, peer, uri);
      default:
        return [];
    }
  }

  /**
   * A transfer that a trunk does itself: it is asked to call an address of its own hosts, which frees both of its lines here.
   * Everything else we do: whom a telephone would call instead of us we could neither refuse nor see.
   */
  passes(leg: SipLeg, other: SipLeg, uri: string): boolean {
    const [asker, asked] = [this.#peers.get(leg), this.#peers.get(other)];
    if (asked?.kind !== 'trunk' || asker === undefined || asker.kind === 'outside') return false;
    if (asker.kind === 'device' && !this.#dependencies.router.mayCall(asker.deviceId, uri)) return false;
    return this.#dependencies.trunks.owns(asked.trunkId, addressFields(uri)?.host ?? '');
  }

  #address(call: ActiveCall, peer: LegPeer, uri: string): TargetGroups {
    const { targets, trunks } = this.#dependencies;
    const { policy } = call.plan;
    const { host = '' } = addressFields(uri) ?? {};
    if (peer.kind === 'device') return call.origin.byTrunk === true ? [] : targets.address(uri, policy);
    if (peer.kind === 'outside') return sameHost(host, peer.host) ? targets.address(uri, policy) : [];
    return trunks.owns(peer.trunkId, host) ? targets.atTrunk(peer.trunkId, uri, policy) : [];
  }
}

/** The called party there. */
export function peerAt({ deviceId, trunkId, uri }: CallTarget, router: CallRouter): LegPeer {
  if (deviceId !== undefined) return router.deviceCaller(deviceId);
  if (trunkId !== undefined) return { kind: 'trunk', trunkId };
  const read = parseUri(uri);
  return { kind: 'outside', host: read.ok && 'host' in read.value ? read.value.host : '' };
}
