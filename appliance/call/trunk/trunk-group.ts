import { fail, ok } from '#shared/result.ts';
import type { TrunkHostProbe } from '#shared/self-test/index.ts';
import type { PlatformAlarms } from '../../delivery/platform-alarms.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { AuthCrypto, Login, TrunkAccount } from '../../sip/auth/index.ts';
import type { Flow, SipEndpoint } from '../../sip/endpoint/index.ts';
import type { Random } from '../../sip/location/index.ts';
import { isSip, parseUri, sameHost } from '../../sip/message/index.ts';
import {
  type Attempt,
  allowsAddress,
  avoidedMs,
  failsOver,
  type HostStanding,
  hostFailed,
  hostKey,
  type Trunk,
  TrunkAdmission,
  type TrunkClaim,
  type TrunkTarget,
  targetsOf,
  trunksFor,
} from '../../sip/trunk/index.ts';
import { HostLine, type LineTimer } from './host-line.ts';
import type { NextHopCandidates, NextHopResolver } from './next-hop-resolver.ts';
import { TrunkProbes } from './trunk-probe.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts;

export interface TrunkGroupDependencies {
  readonly endpoint: SipEndpoint;
  readonly reach: NextHopResolver;
  readonly alarms: PlatformAlarms;
  readonly crypto: AuthCrypto;
  /** Host and port of our Contact towards this flow. */
  readonly contactAt: (flow: Flow) => string;
}

/** An address at a trunk: Request-URI, next hops, and our password for a 401 or 407. */
export interface TrunkPlace {
  readonly trunk: Trunk;
  readonly uri: string;
  readonly login: Login | undefined;
  readonly nextHops: () => Promise<NextHopCandidates>;
}

/** One host a call may be sent to. Try them in order: `nextHops`, each opened in turn, then `report`. */
export type OutboundTarget = TrunkTarget & TrunkPlace;

/** How a host of a trunk is doing, for the console and health. */
export interface HostView {
  readonly trunkId: string;
  readonly host: string;
  readonly standing: HostStanding;
  readonly registered: boolean;
}

/**
 * The trunks of the tenant: which one an inbound request belongs to, where a call to a number goes, and how every host
 * is doing. Follows the configuration: a trunk that changed is left and taken up again, the others notice nothing.
 */
export class TrunkGroup {
  readonly #ports: Ports;
  readonly #dependencies: TrunkGroupDependencies;
  readonly #timers: TimerScope<LineTimer>;
  readonly #lines = new Map<string, HostLine>();
  readonly #looks: TrunkProbes;
  #trunks: readonly Trunk[] = [];
  #admission: TrunkAdmission;
  readonly #random: Random;
  #registers = true;

  constructor(ports: Ports, dependencies: TrunkGroupDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#timers = ports.timers.scope((line, timer) => this.#lines.get(line)?.timer(timer));
    this.#looks = new TrunkProbes({ ports, endpoint: dependencies.endpoint, hash: dependencies.crypto.hash });
    this.#admission = new TrunkAdmission([], dependencies.crypto.equal);
    this.#random = dependencies.reach.random;
  }

  /** Whether this host registers at trunks: of the hosts of a site one does, its leader (control plane 9). */
  set registers(yes: boolean) {
    if (yes === this.#registers) return;
    this.#registers = yes;
    for (const line of this.#lines.values()) line.registersNow(yes);
  }

  /** Every host a call to this number may be sent to, best first; empty: no trunk of this group takes it. */
  outbound(number: string, trunkGroupId: string | undefined): readonly OutboundTarget[] {
    this.follow();
    const nowMs = this.#ports.clock.monoMs();
    return trunksFor(this.#trunks, number, trunkGroupId).flatMap((trunk) => {
      const avoided = (host: Trunk['hosts'][number]) =>
        this.#lines.get(hostKey(trunk, host))?.avoided(nowMs) === true;
      return targetsOf(trunk, number, this.#random, avoided).flatMap((target) => this.#outbound(target));
    });
  }

  /** How an attempt ended. True: try the next target. */
  report(target: TrunkTarget, attempt: Attempt): boolean {
    const line = this.#lines.get(hostKey(target.trunk, target.host));
    if (hostFailed(attempt)) {
      line?.failedCall(this.#ports.clock.monoMs(), avoidedMs(attempt));
      this.#ports.log('warn', 'trunk_host.call_failed', 'A call failed at a host of a trunk', {
        trunk: target.trunk.name,
        host: target.host.uri,
        ...attempt,
      });
    } else line?.servedCall();
    return failsOver(attempt);
  }

  /**
   * The trunk an inbound request belongs to: by key, by address, or because it comes from where we are registered.
   */
  identify(claim: TrunkClaim): TrunkAccount | undefined {
    this.follow();
    const trunk = this.#admission.identify(claim) ?? this.#registeredAt(claim.address);
    return trunk && { domain: this.#ports.tenant().domain, trunkId: trunk.id };
  }

  trunk(id: string): Trunk | undefined {
    return this.#ports.tenant().trunk(id);
  }

  /** May this trunk name that host in place of its own? Its hosts, and the addresses of its `ipAllowList`. */
  owns(id: string, host: string): boolean {
    const trunk = this.trunk(id);
    if (trunk === undefined) return false;
    const own = trunk.hosts.some(({ uri }) => sameHost(hostOf(uri), host));
    return own || allowsAddress(trunk, host.replaceAll(/[[\]]/g, ''));
  }

  /** An address that the trunk has named itself. */
  place(id: string, uri: string): TrunkPlace | undefined {
    const trunk = this.trunk(id);
    if (trunk === undefined) return undefined;
    const candidates = () => this.#dependencies.reach.candidates(uri, { transport: OVER[trunk.transport] });
    return { trunk, uri, login: loginOf(trunk), nextHops: candidates };
  }

  get hosts(): readonly HostView[] {
    return [...this.#lines.values()].map((line) => ({
      trunkId: line.trunk.id,
      host: line.host.uri,
      standing: line.standing,
      registered: line.registeredBy !== undefined,
    }));
  }

  /** Asks every host now, whether it is supervised or not. */
  look(): Promise<readonly TrunkHostProbe[]> {
    this.follow();
    const lines = [...this.#lines.values()];
    return Promise.all(
      lines.map(async (line) => {
        const { trunk, host } = line;
        const candidates = () =>
          this.#dependencies.reach.candidates(host.uri, { transport: OVER[trunk.transport] });
        const outcome = await this.#looks.look(host.uri, loginOf(trunk), candidates);
        return { trunk: trunk.name, host: host.uri, outcome, registration: line.registration };
      }),
    );
  }

  /** Our registrations are given back: this host goes out of service. Resolves when the requests are sent. */
  async close(): Promise<void> {
    await Promise.all([...this.#lines.values()].map((line) => line.end()));
  }

  /**
   * A host with a name may be served at several places (RFC 3263 4.3), and over UDP only silence tells that one of them
   * is dead: such a host stands in the list once for each place that may be tried.
   */
  #outbound(target: TrunkTarget): readonly OutboundTarget[] {
    const login = loginOf(target.trunk);
    // Found once: the order of SRV records is drawn again at every look-up.
    let found: Promise<NextHopCandidates> | undefined;
    const candidates = () => {
      found ??= this.#dependencies.reach.candidates(target.host.uri, {
        transport: OVER[target.trunk.transport],
      });
      return found;
    };
    const places = hasName(target.host.uri) ? MOST_PLACES : 1;
    return Array.from({ length: places }, (_, place) => ({
      ...target,
      login,
      nextHops: async () => from(place, await candidates(), target.host.uri),
    }));
  }

  #registeredAt(address: string): Trunk | undefined {
    for (const { trunk, registeredBy } of this.#lines.values()) {
      if (trunk.direction !== 'out' && registeredBy?.remoteAddress === address) return trunk;
    }
    return undefined;
  }

  /**
   * Takes up the configured trunks. The engine calls it after each change of the configuration; whatever reads the trunks calls it
   * first. The list is the same object until one of its trunks has changed.
   */
  follow(): void {
    const trunks = this.#ports.tenant().trunks;
    if (trunks === this.#trunks) return;
    this.#trunks = trunks;
    this.#admission = new TrunkAdmission(trunks, this.#dependencies.crypto.equal);
    const wanted = new Map(
      trunks.flatMap((trunk) => trunk.hosts.map((host) => [hostKey(trunk, host), { trunk, host }] as const)),
    );
    for (const [key, line] of this.#lines) {
      if (wanted.get(key)?.trunk === line.trunk) continue;
      this.#ports.run(line.end());
      this.#lines.delete(key);
    }
    for (const [key, { trunk, host }] of wanted) {
      if (this.#lines.has(key)) continue;
      const line = new HostLine(trunk, host, this.#lineHost(key, trunk, host.uri));
      this.#lines.set(key, line);
      line.begin();
    }
  }

  #lineHost(key: string, trunk: Trunk, destination: string) {
    const { endpoint, reach, alarms, crypto, contactAt } = this.#dependencies;
    const { clock, log } = this.#ports;
    return {
      ports: this.#ports,
      endpoint,
      reach,
      hash: crypto.hash,
      random: this.#random,
      contactAt,
      start: (timer: LineTimer, afterMs: number) => this.#timers.start(key, timer, clock.monoMs() + afterMs),
      stop: (timer: LineTimer) => this.#timers.stop(key, timer),
      registers: () => this.#registers,
      standing: (down: boolean, reason: string) => {
        log(
          down ? 'warn' : 'info',
          down ? 'trunk_host.went_down' : 'trunk_host.came_up',
          down ? 'A host of a trunk went down' : 'A host of a trunk came up again',
          {
            trunk: trunk.name,
            host: destination,
            reason,
          },
        );
        if (down) alarms.raise({ type: 'destinationDown', destination, reason });
        else alarms.raise({ type: 'destinationUp', destination });
      },
    };
  }
}

/** Places of one host that a call tries before it goes to the next host. */
const MOST_PLACES = 3;

const OVER = { udp: 'UDP', tcp: 'TCP', tls: 'TLS' } as const;

const loginOf = ({ username, password }: Trunk): Login | undefined =>
  username === undefined || password === undefined ? undefined : { username, password };

function hostOf(uri: string): string {
  const read = parseUri(uri);
  return read.ok && isSip(read.value) ? read.value.host : '';
}

function hasName(uri: string): boolean {
  const host = hostOf(uri);
  return host !== '' && !host.startsWith('[') && !/^[\d.]+$/.test(host);
}

/** The ways from this place on: those before it were tried. */
function from(place: number, candidates: NextHopCandidates, uri: string): NextHopCandidates {
  if (!candidates.ok || place === 0) return candidates;
  const left = candidates.value.slice(place);
  return left.length > 0 ? ok(left) : fail('NotFound', `${uri} is served at no further place`);
}
