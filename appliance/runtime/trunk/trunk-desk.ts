import type { AuthCrypto, Login, TrunkAccount } from '../../sip/auth/index.ts';
import type { Flow, SipEndpoint } from '../../sip/endpoint/index.ts';
import type { Random } from '../../sip/location/index.ts';
import {
  type Attempt,
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
import { NamedTimers } from '../named-timers.ts';
import type { PlatformAlarmDesk } from '../platform-alarm-desk.ts';
import type { RuntimePorts } from '../port.ts';
import { HostLine, type LineTimer } from './host-line.ts';
import type { Reach, Ways } from './reach.ts';

export interface TrunkDeskParts {
  readonly endpoint: SipEndpoint;
  readonly reach: Reach;
  readonly alarms: PlatformAlarmDesk;
  readonly crypto: AuthCrypto;
  /** Host and port of our Contact towards this flow. */
  readonly contactAt: (flow: Flow) => string;
}

/** One host a call may be sent to. Try them in order: `ways`, each opened in turn, then `report`. */
export interface OutboundTarget extends TrunkTarget {
  /** For a 401 or 407 of the host. */
  readonly login: Login | undefined;
  readonly ways: () => Promise<Ways>;
}

/** How a host of a trunk is doing, for the console and health. */
export interface HostView {
  readonly trunkId: string;
  readonly host: string;
  readonly standing: HostStanding;
  readonly registered: boolean;
}

/**
 * The trunks of the tenant: which one an inbound request belongs to, where a call to a number goes, and how every host
 * is doing. Follows the configuration: a trunk that changed is left and taken up anew, the others notice nothing.
 */
export class TrunkDesk {
  readonly #ports: RuntimePorts;
  readonly #parts: TrunkDeskParts;
  readonly #timers: NamedTimers<LineTimer>;
  readonly #lines = new Map<string, HostLine>();
  #trunks: readonly Trunk[] = [];
  #admission: TrunkAdmission;
  readonly #random: Random;

  constructor(ports: RuntimePorts, parts: TrunkDeskParts) {
    this.#ports = ports;
    this.#parts = parts;
    this.#timers = new NamedTimers(ports.clock.monoMs());
    this.#admission = new TrunkAdmission([], parts.crypto.equal);
    this.#random = parts.reach.random;
  }

  /** Every host a call to this number may be sent to, best first; empty: no trunk of this group takes it. */
  outbound(number: string, trunkGroupId: string | undefined): readonly OutboundTarget[] {
    this.#follow();
    const nowMs = this.#ports.clock.monoMs();
    return trunksFor(this.#trunks, number, trunkGroupId).flatMap((trunk) => {
      const avoided = (host: Trunk['hosts'][number]) =>
        this.#lines.get(hostKey(trunk, host))?.avoided(nowMs) === true;
      return targetsOf(trunk, number, this.#random, avoided).map((target) => this.#outbound(target));
    });
  }

  /** How an attempt ended. True: try the next target. */
  report(target: TrunkTarget, attempt: Attempt): boolean {
    const line = this.#lines.get(hostKey(target.trunk, target.host));
    if (hostFailed(attempt)) {
      line?.failedCall(this.#ports.clock.monoMs());
      this.#ports.log('warn', 'a call failed at a host of a trunk', {
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
    this.#follow();
    const trunk = this.#admission.identify(claim) ?? this.#registeredAt(claim.address);
    return trunk && { domain: this.#ports.tenant().domain, trunkId: trunk.id };
  }

  trunk(id: string): Trunk | undefined {
    return this.#ports.tenant().trunk(id);
  }

  get hosts(): readonly HostView[] {
    return [...this.#lines.values()].map((line) => ({
      trunkId: line.trunk.id,
      host: line.host.uri,
      standing: line.standing,
      registered: line.registeredBy !== undefined,
    }));
  }

  get nextDueMs(): number | undefined {
    return this.#timers.nextDueMs;
  }

  advance(nowMs: number): void {
    this.#follow();
    for (const { owner, timer } of this.#timers.advance(nowMs)) this.#lines.get(owner)?.timer(timer);
  }

  /** Our registrations are given back: this host goes out of service. */
  close(): void {
    for (const line of this.#lines.values()) line.end();
  }

  #outbound(target: TrunkTarget): OutboundTarget {
    const { username, password, transport } = target.trunk;
    const over = ({ udp: 'UDP', tcp: 'TCP', tls: 'TLS' } as const)[transport];
    return {
      ...target,
      login: username === undefined || password === undefined ? undefined : { username, password },
      ways: () => this.#parts.reach.ways(target.host.uri, { transport: over }),
    };
  }

  #registeredAt(address: string): Trunk | undefined {
    for (const { trunk, registeredBy } of this.#lines.values()) {
      if (trunk.direction !== 'out' && registeredBy?.remoteAddress === address) return trunk;
    }
    return undefined;
  }

  /** The list is the same object until one of its trunks has changed. */
  #follow(): void {
    const trunks = this.#ports.tenant().trunks;
    if (trunks === this.#trunks) return;
    this.#trunks = trunks;
    this.#admission = new TrunkAdmission(trunks, this.#parts.crypto.equal);
    const wanted = new Map(
      trunks.flatMap((trunk) => trunk.hosts.map((host) => [hostKey(trunk, host), { trunk, host }] as const)),
    );
    for (const [key, line] of this.#lines) {
      if (wanted.get(key)?.trunk === line.trunk) continue;
      line.end();
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
    const { endpoint, reach, alarms, crypto, contactAt } = this.#parts;
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
      standing: (down: boolean, reason: string) => {
        log(down ? 'warn' : 'info', down ? 'a trunk host is down' : 'a trunk host is up again', {
          trunk: trunk.name,
          host: destination,
          reason,
        });
        alarms.raise({ type: down ? 'destinationDown' : 'destinationUp', destination });
      },
    };
  }
}
