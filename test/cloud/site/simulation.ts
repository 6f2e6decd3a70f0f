import { createHash } from 'node:crypto';
import { createFeed, type Feed } from '#cloud/feed/index.ts';
import { digest } from '#cloud/io/digest/index.ts';
import { configKeys } from '#cloud/io/key/index.ts';
import { createMonitoring, type Monitoring } from '#cloud/monitoring/index.ts';
import { RecordIntake } from '#cloud/record/index.ts';
import { conditionsOf, createSiteLifecycle } from '#cloud/site/index.ts';
import { type Call, insertHost, insertSite, insertTenant, type Store } from '#cloud/store/index.ts';
import {
  DRAIN_STEPS,
  type Lane,
  type Leaf,
  parseTopic,
  SHARDS,
  shardOf,
  type Twin,
  topicOf,
  twinSchema,
} from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { vault } from '../store/database.ts';
import { dice, type SimulatedHost as Host } from './simulated-host.ts';

const WALL = 1_770_000_000_000;
const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** One run: a control plane, hosts, and a network that loses, repeats and delays whatever passes. */
export class World {
  readonly tenant: string;
  readonly hosts: Host[] = [];
  /** Ids of events that were acknowledged to a host. */
  readonly acknowledged = new Set<string>();
  /** Drains that a host has reported done, by operation. */
  readonly drained = new Set<string>();
  readonly #store: Store;
  readonly #next: () => number;
  #ms = 5_000_000;
  #network: { readonly dueMs: number; readonly run: () => void | Promise<void> }[] = [];
  #timers: { readonly dueMs: number; readonly run: () => void }[] = [];
  #quiet = false;
  #monitoring!: Monitoring;
  #feed!: Feed;
  #life!: ReturnType<typeof createSiteLifecycle>;

  private constructor(store: Store, seed: number) {
    this.#store = store;
    this.#next = dice(seed);
    this.tenant = ulid(WALL + seed, this.#bytes(10));
  }

  static async open(store: Store, seed: number): Promise<World> {
    const world = new World(store, seed);
    const { tenant } = world;
    await store.withTx(async (tx) => {
      await insertTenant(tx, {
        id: tenant,
        domain: `s${seed}.test`,
        name: null,
        createdAt: WALL,
        notBefore: 0,
      });
      await insertSite(tx, {
        tenant,
        siteId: 'north',
        name: null,
        profile: 'high',
        reachable: false,
        keyPublic: {},
        keySealed: '',
        createdAt: WALL,
      });
    });
    for (let n = 0; n < 3; n++) await world.#addHost(`box-${n}`, n === 0 ? 'commissioning' : 'active');
    await world.restart();
    return world;
  }

  get nowMs(): number {
    return WALL + this.#ms - 5_000_000;
  }

  chance(of: number): boolean {
    return this.#next() < of;
  }

  pick<T>(from: readonly T[]): T {
    const one = from[Math.floor(this.#next() * from.length)];
    if (one === undefined) throw new Error('nothing to pick from');
    return one;
  }

  get life() {
    return this.#life.life;
  }

  call(): Call {
    const actor = { name: 'person:test', address: '', requestId: 'r', at: this.nowMs };
    return { tenant: this.tenant, domain: 'x.test', actor };
  }

  #bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => Math.floor(this.#next() * 256));
  }

  async #addHost(hostId: string, lifecycle: 'active' | 'commissioning'): Promise<void> {
    const uid = ulid(WALL, this.#bytes(10));
    const place = { sh: shardOf(uid, sha256), tenant: this.tenant, siteId: 'north', uid };
    await this.#store.withTx((tx) =>
      insertHost(tx, {
        ...place,
        hostId,
        lifecycle,
        lifecycleSince: WALL,
        ...HOST_ROW,
        publicKey: 'PEM',
        createdAt: WALL,
      }),
    );
    this.hosts.push({
      place,
      hostId,
      twin: undefined,
      seq: 0,
      acked: 0,
      journal: [],
      sid: ulid(WALL, this.#bytes(10)),
      step: 0,
      reported: '',
      reached: true,
      wiped: false,
    });
  }

  /** The control plane ends without a word and starts on the same database. */
  async restart(): Promise<void> {
    await this.#monitoring?.idle();
    await this.#feed?.idle();
    this.#feed?.stop();
    const store = this.#store;
    const changed = (uid: string) => {
      this.#feed.hostChanged(uid);
      this.#monitoring.hostChanged(uid);
    };
    this.#life = createSiteLifecycle({
      store,
      random: (length) => this.#bytes(length),
      sha256,
      alarms: {
        raise: (...alarm) => this.#monitoring.alarms.raise(...alarm),
        clear: (...what) => this.#monitoring.alarms.clear(...what),
        clearAll: (...whose) => this.#monitoring.alarms.clearAll(...whose),
      },
      onHostChanged: changed,
    });
    this.#monitoring = createMonitoring({
      store,
      shards: { replica: 'one', owns: () => true, ownsAll: () => true, storeOf: () => store },
      clock: { wallMs: () => this.nowMs, monoMs: () => this.#ms },
      random: (length) => this.#bytes(length),
      soon: (run) => run(),
      publish: async (topic, payload) => this.#down(topic, payload),
      relay: async () => undefined,
      life: this.#life.report,
      records: new RecordIntake({ store, onTaken: () => undefined }),
      conditions: conditionsOf,
      platform: { raise: () => undefined, clear: () => undefined },
      isStorageFault: () => false,
      onHostChanged: changed,
      log: (level, event, message, facts) => {
        if (event.includes('failed')) throw new Error(`${level} ${message} ${JSON.stringify(facts)}`);
      },
    });
    this.#feed = createFeed({
      store,
      owns: () => true,
      nowMs: () => this.nowMs,
      sha256,
      hasher: digest.hasher,
      breathe: async () => undefined,
      sha256Bytes: sha256,
      gzip: async (text) => Buffer.from(text),
      sign: async (_, payload) => JSON.stringify(payload),
      vault,
      configKeys,
      publish: async (topic, payload) => this.#down(topic, payload),
      after: (ms, run) => void this.#timers.push({ dueMs: this.#ms + ms, run }),
      log: () => undefined,
    });
    await this.#feed.start({ ca: 'PEM', verifyKeys: [], publicUrl: 'https://cloud.test' });
    await this.#monitoring.start();
    await this.#monitoring.adopt(SHARDS, true);
    for (const sh of SHARDS) this.#monitoring.shard(sh, true);
    for (const { place } of this.hosts) this.#feed.hostChanged(place.uid);
    await this.#monitoring.idle();
  }

  /** A host ends without a word; its memory is lost, its disk is kept. */
  crash(host: Host): void {
    host.sid = ulid(this.nowMs, this.#bytes(10));
    host.step = 0;
    host.reported = '';
    this.#birth(host);
  }

  /** From now on the network delivers everything once. */
  calm(): void {
    this.#quiet = true;
    for (const host of this.hosts) host.reached = true;
  }

  async pass(seconds: number): Promise<void> {
    for (let i = 0; i < seconds; i++) {
      this.#ms += 1_000;
      await this.#due();
      for (const host of this.hosts) await this.#live(host);
      this.#monitoring.tick();
      if (Math.floor(this.#ms / 1_000) % 5 === 0) await this.#life.report.tick(this.nowMs);
      await this.#monitoring.idle();
      await this.#feed.idle();
    }
  }

  async #due(): Promise<void> {
    const timers = this.#timers.filter(({ dueMs }) => dueMs <= this.#ms);
    this.#timers = this.#timers.filter(({ dueMs }) => dueMs > this.#ms);
    for (const { run } of timers) run();
    await this.#feed.idle();
    const arrived = this.#network.filter(({ dueMs }) => dueMs <= this.#ms);
    this.#network = this.#network.filter(({ dueMs }) => dueMs > this.#ms);
    for (const { run } of arrived.sort((a, b) => a.dueMs - b.dueMs)) await run();
    await this.#monitoring.idle();
  }

  /** Loses one in ten, repeats one in ten, and lets later ones overtake. */
  #send(run: () => void | Promise<void>): void {
    if (this.#quiet) {
      this.#network.push({ dueMs: this.#ms, run });
      return;
    }
    const copies = this.chance(0.1) ? 0 : this.chance(0.1) ? 2 : 1;
    for (let n = 0; n < copies; n++)
      this.#network.push({ dueMs: this.#ms + Math.floor(this.#next() * 4_000), run });
  }

  #down(topic: string, payload: string): void {
    const at = parseTopic(topic);
    const host = this.hosts.find(({ place }) => place.uid === at?.uid);
    if (at === undefined || host === undefined || payload === '') return;
    this.#send(() => {
      if (host.reached && !host.wiped)
        this.#received(host, at.leaf, JSON.parse(payload) as Record<string, unknown>);
    });
  }

  #received(host: Host, leaf: Leaf, body: Record<string, unknown>): void {
    if (leaf === 'dn/twin') this.#follow(host, twinSchema.parse(body));
    if (leaf === 'dn/ack') {
      const seq = (body.ack as { svc?: number }).svc;
      if (seq === undefined) return;
      for (const item of host.journal)
        if (item.seq <= seq && item.seq > host.acked) this.acknowledged.add(item.id);
      host.acked = Math.max(host.acked, Math.min(seq, host.seq));
    }
    if (leaf === 'dn/req' && body.op === 'ping') this.#say(host, 'up/res', { v: 1, id: body.id, ok: true });
    if (leaf === 'dn/req' && body.op === 'rebirth') this.#birth(host);
  }

  #follow(host: Host, twin: Twin): void {
    // A replay, or one that was overtaken.
    if (twin.twinRev < (host.twin?.twinRev ?? 0)) return;
    if (twin.life !== host.twin?.life || twin.op !== host.twin?.op) {
      host.step = 0;
      host.reported = '';
    }
    host.twin = twin;
  }

  /** One second in the life of a host. */
  async #live(host: Host): Promise<void> {
    if (host.wiped) return;
    const second = Math.floor(this.#ms / 1_000);
    if (second % 10 === 0) this.#beat(host);
    if (second % 10 === 3) this.#resend(host);
    // The second channel: a twin by HTTPS when MQTT brought none.
    if (second % 20 === 7 && host.reached) {
      const standing = await this.#feed.twin(host.place.uid);
      if (standing !== undefined) this.#follow(host, standing.twin);
    }
    const { life, op } = host.twin ?? {};
    if (life === 'commissioning') {
      this.#once(host, `checks ${op}`, () =>
        this.#record(host, 'commissionChecks', { op, checks: [{ name: 'clock', ok: true }] }),
      );
      if (second % 15 === 1 && host.twin !== undefined)
        this.#say(host, 'up/cfg', {
          v: 1,
          sid: host.sid,
          scope: 'tenant',
          rev: host.twin.cfg.tenant.rev,
          nonce: 'n',
          res: 'ack',
          applied: host.twin.cfg.tenant.rev,
        });
    }
    if (life === 'draining' && second % 3 === 0) this.#drain(host, op ?? '');
    if (life === 'decommissioned' && host.acked === host.seq && host.reached) {
      const report = { op: op ?? null, wiped: ['journal'], left: [] };
      const actor = { name: `host:${host.place.uid}`, address: '', requestId: '', at: this.nowMs };
      host.wiped = (await this.#life.report.wiped(host.place.uid, report, actor)).ok;
    }
  }

  #drain(host: Host, op: string): void {
    if (host.step >= DRAIN_STEPS.length) return;
    const step = DRAIN_STEPS[host.step];
    const stuck = step === 'calls' && !this.#quiet && this.chance(0.4);
    const blocked = stuck ? { blocked: { code: 'callsLeft', message: 'One call.' } } : {};
    this.#once(host, `${op} ${step} ${stuck}`, () =>
      this.#record(host, 'drainProgress', { op, step, ...blocked }),
    );
    if (step === 'done') this.drained.add(op);
    if (!stuck) host.step += 1;
  }

  #once(host: Host, what: string, run: () => void): void {
    if (host.reported === what) return;
    host.reported = what;
    run();
  }

  #record(host: Host, type: string, data: object): void {
    host.seq += 1;
    host.journal.push({ id: ulid(this.nowMs, this.#bytes(10)), seq: host.seq, type, data });
    this.#resend(host);
  }

  #resend(host: Host): void {
    const waiting = host.journal.filter(({ seq }) => seq > host.acked).slice(0, 20);
    if (waiting.length === 0) return;
    const items = waiting.map((item) => ({
      ...item,
      prev: item.seq - 1,
      ts: this.nowMs,
      mono: this.#ms,
      boot: 1,
      epoch: 1,
    }));
    const lane: Lane = 'svc';
    this.#say(host, `up/ev/${lane}`, { v: 1, sid: host.sid, items });
  }

  #birth(host: Host): void {
    const { twin, sid } = host;
    this.#say(host, 'up/state', {
      v: 1,
      st: 'on',
      sid,
      birthNo: 1,
      boot: 1,
      ts: this.nowMs,
      twinRev: twin?.twinRev ?? 0,
      cap: ['check.1', 'drain.1', 'wipe.1'],
      cfg: { tenant: 0, site: 0, host: 0, platform: 0 },
      life: twin?.life ?? 'commissioning',
      epoch: 1,
    });
  }

  #beat(host: Host): void {
    const { twin, sid } = host;
    this.#say(host, 'up/hb', {
      v: 1,
      sid,
      n: 1,
      ts: this.nowMs,
      up: 1,
      twinRev: twin?.twinRev ?? 0,
      cfg: [0, 0, 0, 0],
      life: twin?.life ?? 'commissioning',
      epoch: 1,
    });
  }

  #say(host: Host, leaf: Leaf, body: object): void {
    if (!host.reached) return;
    const payload = Buffer.from(JSON.stringify(body));
    this.#send(() => this.#monitoring.message(topicOf(host.place, leaf), payload));
  }
}
