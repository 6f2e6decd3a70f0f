import { ok, type Result } from '#shared/result.ts';
import { type Contact, type Source, sourceUri } from '../../../registration/device-place.ts';
import type { Registrations } from '../../../registration/registrations.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import type { Login } from '../../../sip/auth/index.ts';
import type { InvitePlan } from '../../../sip/dialog/index.ts';
import type { Flow } from '../../../sip/endpoint/index.ts';
import { type Attempt, failsOver } from '../../../sip/trunk/index.ts';
import type { Route } from '../../route/index.ts';
import { escaped, type Fields, isEmergencyNumber, type Unreached } from '../../session/index.ts';
import { firstOf, type NextHopResolver, type TrunkGroup, type TrunkPlace } from '../../trunk/index.ts';
import { type LegPolicy, trunkPolicy } from '../leg-media/leg-media.ts';
import { addressFields } from './address-fields.ts';
import { INSIDE } from './inside-line.ts';

/** A target of a call. */
export interface CallTarget {
  /** Request-URI. */
  readonly uri: string;
  /** URI of To. */
  readonly to: string;
  readonly routes: readonly string[];
  readonly policy: LegPolicy;
  /** A trunk: identities go there unhidden (RFC 3325). */
  readonly trusted: boolean;
  /** Requests in the dialog go where its Contact says; of a device they go back over its registration. */
  readonly follows: boolean;
  readonly login: Login | undefined;
  /** Fields of the INVITE that are for this target alone. */
  readonly headers?: Fields;
  /** Said to it beside our offer. */
  readonly beside?: InvitePlan['beside'];
  /** Said to it beside our offer, unless it refuses that. */
  readonly optional?: InvitePlan['optional'];
  /** A trunk whose emergency calls carry location and facts of the device. */
  readonly takesEmergencyData?: boolean;
  readonly trunkId: string | undefined;
  readonly deviceId?: string;
  /** So long it may take for a first response, ms; absent: as timer B says. */
  readonly responseWithinMs?: number;
  /** A receiver or program of this host. */
  readonly inside?: true;
  /** Opens the way there. */
  readonly flow: () => Promise<Result<Flow>>;
  /** Gets how it ended; true: another target may be tried. */
  readonly report: (attempt: Attempt) => boolean;
}

/** Where something of a device came from that is answered by a call. */
export interface CallSource {
  readonly address: string;
  /** The way it came, while it is known. */
  readonly replyPath: Pick<Source, 'device' | 'flow'> | undefined;
}

/** Groups in their order; targets of a group ring together. */
export type TargetGroups = readonly (readonly CallTarget[])[];

/** The targets of a destination; `unreached` says why there are none, in case the groups are empty. */
export interface FoundTargets {
  readonly groups: TargetGroups;
  readonly unreached: Unreached;
}

export interface TargetResolverDependencies {
  readonly registrations: Registrations;
  readonly trunks: TrunkGroup;
  readonly reach: NextHopResolver;
}

/**
 * Chosen: a telephone that came back from another port leaves a binding where only silence answers. It gets three transmissions of
 * the INVITE, so that it delays the answer of the living one by two seconds, not by 32.
 */
const STALE_MS = 2_000;

/** The dialled number; '' where no number is dialled. */
function dialledIn(route: Route): string {
  switch (route.kind) {
    case 'device':
      return route.deviceId;
    case 'number':
      return route.number;
    case 'address':
      return addressFields(route.uri)?.user ?? '';
    default:
      return '';
  }
}

/** Finds out how a target is reached: the contacts of a device, the hosts of trunks, an address outside. */
export class TargetResolver {
  readonly #ports: TenantPorts;
  readonly #dependencies: TargetResolverDependencies;

  constructor(ports: TenantPorts, dependencies: TargetResolverDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
  }

  /** Everybody a route leads to; none: they cannot be reached now, or are not to be dialled. */
  of(route: Route, wanted: LegPolicy): TargetGroups {
    const base = isEmergencyNumber(dialledIn(route)) ? { ...wanted, urgent: true as const } : wanted;
    switch (route.kind) {
      case 'device':
        return this.device(route.deviceId, base);
      case 'number':
        return this.number(route.number, route.trunkGroupId, base);
      case 'address':
        return this.address(route.uri, base);
      case 'receiver':
      case 'application':
        return this.#inside(route.user, base);
      default:
        return [];
    }
  }

  /** The same, and the reason why there may be no target. Chosen: 480 for a device that is away, 404 for everything else. */
  found(route: Route, base: LegPolicy): FoundTargets {
    const unreached =
      route.kind === 'device'
        ? { status: 480, text: `${route.deviceId} is not registered` }
        : { status: 404, text: route.kind === 'refused' ? route.text : noTrunk(route) };
    return { groups: this.of(route, base), unreached };
  }

  /** Every contact of a device rings at once; none: it is not registered. `base`: what the caller's side asks for. */
  device(deviceId: string, base: LegPolicy): TargetGroups {
    const group = this.#contacts(deviceId, this.#dependencies.registrations.contactsOf(deviceId), base);
    return group.length === 0 ? [] : [group];
  }

  /**
   * The call that answers a device: to what a secret has proven and to what the source of its alarm holds; else to the
   * source itself. Other bindings may be a stranger's, or stand where the device was before its address changed.
   */
  answering(deviceId: string, { address, replyPath }: CallSource, base: LegPolicy): TargetGroups {
    const contacts = this.#dependencies.registrations.answering(deviceId, address);
    const group = this.#contacts(deviceId, contacts, base);
    if (group.length > 0) return [group];
    if (replyPath === undefined) return [];
    const [uri, flow] = [sourceUri(replyPath.device, replyPath.flow), replyPath.flow];
    const here = { uri, flow, path: [], hop: uri, proven: false, source: address, sinceMs: 0 };
    return [this.#contacts(deviceId, [here], base)];
  }

  #contacts(deviceId: string, contacts: readonly Contact[], base: LegPolicy): readonly CallTarget[] {
    const tenant = this.#ports.tenant();
    const device = tenant.byId(deviceId);
    const policy: LegPolicy = { ...base, srtp: device?.srtp ?? base.srtp };
    const to = `sip:${escaped(deviceId)}@${tenant.domain}`;
    return contacts.map(
      ({ uri, flow, path, hop, isStale }): CallTarget => ({
        uri,
        to,
        routes: path,
        policy,
        trusted: false,
        follows: false,
        login: undefined,
        trunkId: undefined,
        deviceId,
        ...(isStale && { responseWithinMs: STALE_MS }),
        flow: () => (flow === undefined ? this.#dependencies.reach.open(hop) : Promise.resolve(ok(flow))),
        report: () => false,
      }),
    );
  }

  /**
   * Connections a device has registered over since a connection broke, the likeliest first: the same contact, the same
   * address, or the only one there is. Several telephones may bear one name, and a call is with one of them. A contact at
   * another address counts only where a secret has proven it: a contact is easily copied.
   */
  connections(deviceId: string, lost: Flow, target: string): readonly Flow[] {
    const contacts = this.#dependencies.registrations.answering(deviceId, lost.remoteAddress);
    const same = contacts.filter(({ uri }) => uri === target);
    const near = contacts.filter(({ flow }) => flow?.remoteAddress === lost.remoteAddress);
    const likely = [...same, ...near, ...(contacts.length === 1 ? contacts : [])];
    return likely.flatMap(({ flow }) => flow ?? []);
  }

  /** Hosts of trunks one after the other. */
  number(number: string, trunkGroupId: string | undefined, base: LegPolicy): TargetGroups {
    return this.#dependencies.trunks
      .outbound(number, trunkGroupId)
      .map((target) => [
        this.#trunkTarget(target, base, (attempt) => this.#dependencies.trunks.report(target, attempt)),
      ]);
  }

  address(uri: string, base: LegPolicy): TargetGroups {
    return [
      [
        {
          uri,
          to: uri,
          routes: [],
          policy: base,
          trusted: false,
          follows: true,
          login: undefined,
          trunkId: undefined,
          flow: () => this.#dependencies.reach.open(uri),
          report: () => false,
        },
      ],
    ];
  }

  /** A receiver or program of this host; no network lies between, so that the audio needs no protection. */
  #inside(user: string, base: LegPolicy): TargetGroups {
    const uri = `sip:${escaped(user)}@${this.#ports.tenant().domain}`;
    return [
      [
        {
          uri,
          to: uri,
          routes: [],
          policy: { ...base, srtp: 'never' },
          trusted: false,
          follows: false,
          login: undefined,
          trunkId: undefined,
          flow: () => Promise.resolve(ok(INSIDE)),
          inside: true,
          report: () => false,
        },
      ],
    ];
  }

  /** An address that a trunk has named instead of itself; its identity, codecs and password are the trunk's. */
  atTrunk(trunkId: string, uri: string, base: LegPolicy): TargetGroups {
    const place = this.#dependencies.trunks.place(trunkId, uri);
    return place === undefined ? [] : [[this.#trunkTarget(place, base, failsOver)]];
  }

  #trunkTarget(place: TrunkPlace, base: LegPolicy, report: CallTarget['report']): CallTarget {
    const { trunk, uri, login } = place;
    return {
      uri,
      to: uri,
      routes: [],
      policy: trunkPolicy(base, trunk),
      trusted: true,
      follows: true,
      login,
      trunkId: trunk.id,
      ...(trunk.emergencyData === true && { takesEmergencyData: true }),
      flow: async () => firstOf(await place.nextHops()),
      report,
    };
  }
}

const noTrunk = (route: Route): string =>
  `no host of a trunk takes ${route.kind === 'number' ? route.number : 'this call'} now`;

/** The settings that every target of a call of our own gets. */
export interface Towards extends Partial<Pick<CallTarget, 'login' | 'headers' | 'beside'>> {
  /** For trunks that carry it only, and made for them only: its documents cost more than the rest of a call's beginning. */
  readonly emergencyData?: () => NonNullable<CallTarget['optional']>;
}

/** Our own settings at a target go before the requested ones: a trunk has a password of its own. */
export function towardsAll(towards: Towards | undefined, groups: TargetGroups): TargetGroups {
  if (towards === undefined) return groups;
  const { emergencyData, ...all } = towards;
  const takes = groups.some((group) => group.some(({ takesEmergencyData }) => takesEmergencyData === true));
  const optional = takes ? emergencyData?.() : undefined;
  const towardsOne = (target: CallTarget): CallTarget => ({
    ...all,
    ...target,
    login: target.login ?? all.login,
    ...(optional !== undefined && target.takesEmergencyData === true && { optional }),
  });
  return groups.map((group) => group.map(towardsOne));
}
