import {
  compilePattern,
  destinationMatcher,
  rewrittenDestination,
  serviceFor,
} from '#shared/matching/index.ts';
import type { ReplicatedBridge, TenantModel, TenantPorts } from '../../../replica/index.ts';
import { destinationOf, type Identity } from '../../../sip/auth/index.ts';
import type { Flow } from '../../../sip/endpoint/index.ts';
import { type SipRequest, sameHost } from '../../../sip/message/index.ts';
import { type Caller, type Route, type RouteDirectory, routeOf } from '../../route/index.ts';
import type { TrunkGroup } from '../../trunk/index.ts';
import {
  ALARM_POLICY,
  type LegPolicy,
  ORDINARY_POLICY,
  RECORDER_POLICY,
  trunkPolicy,
} from '../leg-media/leg-media.ts';
import { type AddressFields, addressFields } from './address-fields.ts';
import { alarmPolicy } from './dial-plan.ts';
import { isInside } from './inside-line.ts';

/** The receivers of the tenant that take calls; the call router needs no more of them than their id. */
export interface ReceiverDirectory {
  bridgeFor(user: string, kind: 'call' | 'strayCall'): { readonly id: string } | undefined;
}

export interface CallRouterDependencies {
  readonly receiver: () => ReceiverDirectory;
  readonly trunks: TrunkGroup;
  /** Host and port of our Via for a flow. */
  readonly contactAt: (flow: Flow) => string;
}

/** Chosen: ours, on whatever port we listen; a call that still meets us on another one ends as a loop (482). */
const DEFAULT_PORTS = [5060, 5061];

type Services = Pick<RouteDirectory, 'application'> & { readonly of: readonly unknown[] };

/** Asks routing with what is provisioned now. */
export class CallRouter {
  readonly #ports: TenantPorts;
  readonly #dependencies: CallRouterDependencies;
  #services: Services | undefined;

  constructor(ports: TenantPorts, dependencies: CallRouterDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
  }

  route(request: SipRequest, flow: Flow, caller: Caller): Route {
    const { user, host, port }: AddressFields = addressFields(request.uriText) ?? { user: '', host: '' };
    const vias = request.vias;
    const own = this.#dependencies.contactAt(flow);
    const cameBack =
      !isInside(flow) &&
      vias.ok &&
      vias.value.some((via) => via.port !== undefined && `${via.host}:${via.port}` === own);
    const route = routeOf(
      {
        caller,
        user,
        host,
        port,
        uri: request.uriText,
        hopsLeft: request.maxForwards ?? 70,
        cameBack,
        mayReachServices: true,
      },
      this.#directory(own),
    );
    const rewrite =
      caller.kind === 'device'
        ? this.#ports.tenant().byId(caller.deviceId)?.serviceData?.alarmBridge?.destinationRewrite
        : undefined;
    // A call to a receiver stays an alarm; the rewrite changes only the callee of other calls.
    if (rewrite === undefined || rewrite === '' || route.kind === 'receiver' || cameBack) return route;
    const hopsLeft = request.maxForwards ?? 70;
    const { trunkGroupId } = caller as Caller & { readonly kind: 'device' };
    return this.routeTo(rewrittenDestination(rewrite, user), { hopsLeft, trunkGroupId });
  }

  /** A call of our own to an address or a number. */
  routeTo(
    destination: string,
    options: {
      readonly hopsLeft?: number;
      readonly trunkGroupId?: string | undefined;
      readonly mayReachServices?: boolean;
    } = {},
  ): Route {
    const { hopsLeft = 70, trunkGroupId, mayReachServices = true } = options;
    const uri = /^(sips?|tel):/i.test(destination) ? destination : `sip:${destination}`;
    const address = addressFields(destination.includes('@') || uri === destination ? uri : `${uri}@`);
    const { user, host, port }: AddressFields = address ?? { user: destination, host: '' };
    return routeOf(
      {
        caller: { kind: 'own', trunkGroupId },
        ...{ user, host, port, uri, hopsLeft, mayReachServices },
        cameBack: false,
      },
      this.#directory(),
    );
  }

  /** @returns the policy that provisioning sets for the audio of this caller */
  policyOf(caller: Caller, bridge?: ReplicatedBridge, route?: Route): LegPolicy {
    const tenant = this.#ports.tenant();
    const program =
      route?.kind === 'application' && route.service === 'mediaservice'
        ? tenant.mediaServicesById.get(route.id)
        : undefined;
    const limit =
      route?.kind === 'application' && route.service === 'cloudsipua'
        ? tenant.cloudSipUa(route.id)?.codecLimit
        : undefined;
    const ordinary = {
      ...ORDINARY_POLICY,
      ...(program !== undefined && { codecs: program.codecs }),
      ...(limit !== undefined && { codecLimit: limit }),
    };
    const recorder = route?.kind === 'application' && route.service === 'callrecording';
    const isAlarm = route?.kind === 'application' && route.service === 'sending';
    const alone = recorder ? RECORDER_POLICY : isAlarm ? ALARM_POLICY : ordinary;
    const base = bridge === undefined ? alone : alarmPolicy(bridge);
    if (caller.kind === 'device') {
      return { ...base, srtp: tenant.byId(caller.deviceId)?.srtp ?? base.srtp };
    }
    const trunk = caller.kind === 'trunk' ? tenant.trunk(caller.trunkId) : undefined;
    return trunk === undefined ? base : trunkPolicy(base, trunk);
  }

  /** `own`: host and port under which the caller knows us. */
  #directory(own?: string): RouteDirectory {
    const tenant = this.#ports.tenant();
    const { address } = this.#ports.place;
    return {
      isHere: (host) => sameHost(host, tenant.domain) || sameHost(host, address),
      isNeighbour: (host, port) =>
        sameHost(host, address) && !DEFAULT_PORTS.includes(port) && own?.endsWith(`:${port}`) !== true,
      device: (user) => tenant.byId(user)?.deviceId,
      receiver: (user) => this.#dependencies.receiver().bridgeFor(user, 'call')?.id,
      strayReceiver: (user) => this.#dependencies.receiver().bridgeFor(user, 'strayCall')?.id,
      application: this.#servicesOf(tenant).application,
      takesNumber: (number, group) => this.#dependencies.trunks.outbound(number, group).length > 0,
    };
  }

  /** Built again when one of the lists has changed. */
  #servicesOf(tenant: TenantModel): Services {
    const of = [tenant.mediaServices, tenant.recordingServices, tenant.cloudSipUas];
    const known = this.#services;
    if (known !== undefined && of.every((list, index) => list === known.of[index])) return known;
    const media = destinationMatcher(tenant.mediaServices);
    const recording = destinationMatcher(tenant.recordingServices);
    const agents = destinationMatcher(tenant.cloudSipUas);
    const services: Services = {
      of,
      application: (user) => {
        const service = serviceFor(tenant.mediaServicesById, media, user);
        if (service !== undefined) return { service: 'mediaservice', id: service.id };
        const recorder = serviceFor(tenant.recordingServicesById, recording, user);
        if (recorder !== undefined) return { service: 'callrecording', id: recorder.id };
        const agent = agents.match(user);
        return agent && { service: 'cloudsipua', id: agent.id };
      },
    };
    this.#services = services;
    return services;
  }

  /** @returns the caller behind an identity; undefined: it may not call */
  callerOf(identity: Identity): Caller | undefined {
    if (identity.kind === 'device') return this.deviceCaller(identity.account.deviceId);
    return identity.kind === 'trunk' ? { kind: 'trunk', trunkId: identity.trunk.trunkId } : undefined;
  }

  /** May this device call that address? For application users `authorized.invite` decides, as for an INVITE of theirs. */
  mayCall(deviceId: string, uri: string): boolean {
    const device = this.#ports.tenant().byId(deviceId);
    if (device?.authType !== 'userid') return device !== undefined;
    const invite = device.authorized?.invite;
    const allowed = invite === undefined ? undefined : compilePattern(invite);
    return allowed?.ok === true && allowed.value.test(destinationOf(uri));
  }

  /** A device of this tenant, by its name. */
  deviceCaller(deviceId: string): Extract<Caller, { readonly kind: 'device' }> {
    return { kind: 'device', deviceId, trunkGroupId: this.#ports.tenant().byId(deviceId)?.trunkGroupId };
  }
}
