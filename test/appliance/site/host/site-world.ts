import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { type OpenReplica, openReplica } from '#appliance/io/config/index.ts';
import { brokerPassword, hostReader, openConfigKeys } from '#appliance/io/edge/index.ts';
import { openMqtt } from '#appliance/io/mqtt/index.ts';
import type { SitePorts } from '#appliance/site/host/site-port.ts';
import { SiteAgent } from '#appliance/site/host/uplink/site-agent.ts';
import type { HostIdentity } from '#appliance/site/index.ts';
import { shardOf } from '#shared/contract/feed/index.ts';
import { SiteCloud, sha256 } from './site-cloud.ts';

const UID = '01jc7z5t3k9q8w6m4n2p0r1s5v';
const TENANT = '01jc7z5t3k9q8w6m4n2p0r1s5t';
/** Shorter than the minute that the runner gives a test, so that its failure names what never came. */
const DEADLINE_MS = 50_000;

/** Resolves when `condition` holds; fails with what was waited for. A busy machine takes its time. */
export async function until(condition: () => boolean, what = String(condition)): Promise<void> {
  const end = performance.now() + DEADLINE_MS;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`did not come: ${what}`);
    await turn();
  }
}

interface Pending {
  readonly atMs: number;
  readonly fire: () => void;
}

/** A host with real files and signatures on a clock that stands until it is moved. */
export class SiteWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'site-'));
  readonly cloud = new SiteCloud(UID, TENANT, 'north');
  readonly identity: HostIdentity;
  readonly logged: string[] = [];
  nowMs = 1_000_000;
  sick: readonly string[] = [];
  journal: SitePorts['journal'] = { boot: 7, pending: () => [], acknowledge: async () => undefined };
  readonly #timers = new Set<Pending>();
  readonly #open: { agent: SiteAgent; store: OpenReplica }[] = [];

  constructor(brokerUrl = 'mqtt://127.0.0.1:9') {
    const pem = { type: 'pkcs8', format: 'pem' } as const;
    this.identity = {
      uid: UID,
      tenant: TENANT,
      domain: 'care.example',
      siteId: 'north',
      hostId: 'h1',
      shard: shardOf(UID, sha256),
      certificatePem: '',
      keyPem: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pem).toString(),
      caPem: '',
      expiresAtMs: this.wallMs + 30 * 86_400_000,
      edgeUrl: 'https://127.0.0.1:9',
      brokerUrl,
      plainJwt: true,
      verifyKeys: [this.cloud.signing.verifyKey],
      siteKeyPem: generateKeyPairSync('ed25519').privateKey.export(pem).toString(),
    };
  }

  get wallMs(): number {
    return 1_770_000_000_000 + this.nowMs;
  }

  ports(change: Partial<SitePorts> = {}): SitePorts & { readonly store: OpenReplica } {
    const store = openReplica(this.folder);
    return {
      clock: { wallMs: () => this.wallMs, monoMs: () => this.nowMs },
      random: (length) => randomBytes(length),
      log: (level, event, _, detail) => this.logged.push(`${level} ${event} ${JSON.stringify(detail ?? {})}`),
      run: (work) => {
        work.catch((error: unknown) => this.logged.push(`defect ${String(error)}`));
      },
      startTimer: (delayMs, fire) => {
        const pending = { atMs: this.nowMs + delayMs, fire };
        this.#timers.add(pending);
        return () => this.#timers.delete(pending);
      },
      pause: () => turn(),
      sha256Hex: sha256,
      journal: this.journal,
      identity: this.identity,
      enrol: undefined,
      feed: () => this.cloud.feed,
      verify: (identity) =>
        hostReader(identity, () => this.#open.at(-1)?.agent.tenant.access.verifyKeys ?? []),
      keys: openConfigKeys(this.folder),
      openBroker: openMqtt,
      brokerPassword,
      facts: () => ({
        upS: this.nowMs / 1_000,
        sw: { agent: '1' },
        siteBaseUrl: 'https://h1',
        epoch: 0,
        svc: { sip: 'ok' },
        calls: 0,
        alarms1h: 0,
      }),
      operate: async () => ({ status: 200, body: { success: true } }),
      health: async () => this.sick,
      ...change,
      store,
    };
  }

  /** A life of the program; a later one works on the same files. */
  host(change: Partial<SitePorts> = {}): { readonly agent: SiteAgent; readonly store: OpenReplica } {
    const ports = this.ports(change);
    const life = { agent: new SiteAgent(ports), store: ports.store };
    this.#open.push(life);
    return life;
  }

  /** Moves the clock and fires what is due on the way; promises go first. */
  async advance(ms: number): Promise<void> {
    const endMs = this.nowMs + ms;
    for (;;) {
      await this.settle();
      const next = [...this.#timers].sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined || next.atMs > endMs) break;
      this.#timers.delete(next);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.fire();
    }
    this.nowMs = endMs;
  }

  /** Moves the clock in small steps until `condition` holds. */
  async reach(condition: () => boolean, what: string, stepMs = 50): Promise<void> {
    const end = performance.now() + DEADLINE_MS;
    while (!condition()) {
      if (performance.now() > end)
        throw new Error(`did not come: ${what}; ${this.logged.slice(-5).join('; ')}`);
      await this.advance(stepMs);
    }
  }

  async settle(): Promise<void> {
    for (let turns = 0; turns < 20; turns++) await turn();
  }

  async stop(): Promise<void> {
    for (const { agent, store } of this.#open.splice(0)) {
      await agent.stop();
      if (this.isOpen(store)) store.close();
    }
  }

  isOpen(store: OpenReplica): boolean {
    try {
      store.standings();
      return true;
    } catch {
      return false;
    }
  }

  async end(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
