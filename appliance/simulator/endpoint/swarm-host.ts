import { COMMISSION_CHECKS, type Lane, type Twin } from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import { cloudDestination, type OutboxRow } from '../../delivery/outbox/index.ts';
import type { OpenKeys, TenantModel } from '../../replica/index.ts';
import type { SitePorts } from '../../site/host/site-port.ts';
import { SiteAgent } from '../../site/host/uplink/site-agent.ts';
import type { HostFacts, HostIdentity } from '../../site/index.ts';
import { memoryReplica } from './memory-replica.ts';

/** The ports that a simulated host needs from its adapters: the same as a real one, without disk and engines. */
export type SwarmPorts = Pick<
  SitePorts,
  | 'clock'
  | 'random'
  | 'log'
  | 'run'
  | 'startTimer'
  | 'pause'
  | 'sha256Hex'
  | 'feed'
  | 'verify'
  | 'openBroker'
  | 'brokerPassword'
> & { readonly keys: (identity: HostIdentity) => OpenKeys };

/**
 * A host without engines: management connection, heartbeats, configuration and events are those of the product, its disk
 * and its alarms are made up. It passes its checks, and is drained at once, for it does nothing.
 */
export class SwarmHost {
  readonly identity: HostIdentity;
  readonly #ports: SwarmPorts;
  readonly #store = memoryReplica();
  readonly #rows: OutboxRow[] = [];
  readonly #inst: string;
  readonly #startedMs: number;
  #seq = 0;
  #agent: SiteAgent;
  #reported = '';

  constructor(ports: SwarmPorts, identity: HostIdentity) {
    this.#ports = ports;
    this.identity = identity;
    this.#startedMs = ports.clock.monoMs();
    this.#inst = ulid(ports.clock.wallMs(), ports.random(10));
    this.#agent = this.#open();
  }

  get connected(): boolean {
    return this.#agent.connected;
  }

  get tenant(): TenantModel {
    return this.#agent.tenant;
  }

  /** Its configuration is applied. */
  get configured(): boolean {
    return this.#agent.configured;
  }

  /** Events that the cloud has not acknowledged. */
  get waiting(): number {
    return this.#rows.length;
  }

  start(): void {
    this.#agent.start();
  }

  stop(): Promise<void> {
    return this.#agent.stop();
  }

  /** A probe of the host saw a problem, or saw it go. */
  raise(status: 'raised' | 'cleared'): void {
    const errorDetails = { status, service: 'media', severity: 'major', message: 'simulated' };
    this.#record('alarm', 'monitoringAlarm', { error: 'serviceFailure', errorDetails });
  }

  #open(): SiteAgent {
    const agent = new SiteAgent({
      ...this.#ports,
      keys: this.#ports.keys(this.identity),
      journal: {
        boot: 1,
        pending: (dest, lane, after, limit) =>
          dest !== cloudDestination
            ? []
            : this.#rows.filter((row) => row.lane === lane && row.seq > after).slice(0, limit),
        acknowledge: async (lane, seq) => {
          for (let at = this.#rows.length - 1; at >= 0; at--) {
            const row = this.#rows[at];
            if (row?.lane === lane && row.seq <= seq) this.#rows.splice(at, 1);
          }
        },
      },
      store: this.#store,
      identity: this.identity,
      enrol: undefined,
      facts: () => this.#facts(),
      operate: async () => ({
        status: 404,
        body: { success: false, reason: 'A simulated host has no sessions.', error: { code: 'notFound' } },
      }),
      health: async () => [],
    });
    agent.twinTaken.add((twin) => this.#obey(twin));
    return agent;
  }

  #obey({ life, op }: Twin): void {
    const what = `${life} ${op}`;
    if (what === this.#reported) return;
    this.#reported = what;
    if (life === 'commissioning')
      this.#record('svc', 'commissionChecks', {
        op,
        checks: COMMISSION_CHECKS.map((name) => ({ name, ok: true })),
      });
    if (life === 'draining')
      this.#record('svc', 'drainProgress', {
        op,
        step: 'done',
        services: [{ name: 'sip', state: 'paused' }],
      });
  }

  #record(lane: Lane, type: string, data: object): void {
    const { clock, random } = this.#ports;
    this.#seq += 1;
    this.#rows.push({
      id: ulid(clock.wallMs(), random(10)),
      seq: this.#seq,
      lane,
      tenant: this.identity.tenant,
      dest: cloudDestination,
      orderKey: '',
      type,
      body: JSON.stringify(data),
      createdWall: clock.wallMs(),
      createdMono: clock.monoMs(),
      boot: 1,
      epoch: 1,
      notBefore: 0,
      attempts: 0,
      deadline: 0,
      expirePolicy: 'record',
      state: 'new',
      late: false,
      lastErr: null,
      authIdx: 0,
    });
  }

  #facts(): HostFacts {
    return {
      upS: (this.#ports.clock.monoMs() - this.#startedMs) / 1_000,
      clk: { sync: true, src: 'simulated' },
      sw: { agent: 'swarm' },
      inst: this.#inst,
      siteBaseUrl: 'https://swarm.invalid:8443',
      epoch: 1,
      m: { memFreeMb: 2_000, memPct: 60, load1: 0.1, diskPct: 20, fsyncP99Ms: 5, tempC: 40 },
      svc: { sip: 'ok', media: 'ok', alarm: 'ok', cb: 'ok' },
      calls: 0,
      alarms1h: 0,
    };
  }
}
