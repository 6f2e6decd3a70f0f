import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { Aedes } from 'aedes';
import type { OutboxRow } from '#appliance/delivery/outbox/index.ts';
import { type OpenJournal, openJournal } from '#appliance/io/sqlite/index.ts';
import type { SitePorts } from '#appliance/site/host/site-port.ts';
import { placeOf } from '#appliance/site/index.ts';
import { type Lane, parseTopic, topicOf } from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import { SiteWorld, until } from './site-world.ts';

interface ReceivedMessage {
  readonly leaf: string;
  readonly payload: Record<string, unknown>;
  readonly qos: number;
  readonly retain: boolean;
}

/** A client as the broker holds it. */
interface BrokerSide {
  readonly close: () => void;
  readonly publish: (packet: object, done: () => void) => void;
}

/** A real broker with a real journal beneath the host, and what the cloud's side of the line hears and says. */
export class SiteLine {
  readonly aedes: Aedes;
  readonly world: SiteWorld;
  readonly journal: OpenJournal;
  readonly received: ReceivedMessage[] = [];
  readonly passwords: string[] = [];
  readonly #server: Server;

  private constructor(aedes: Aedes, server: Server, world: SiteWorld, journal: OpenJournal) {
    this.aedes = aedes;
    this.#server = server;
    this.world = world;
    this.journal = journal;
    world.journal = journal;
    aedes.authenticate = (_client, _user, password, done) => {
      this.passwords.push(String(password));
      done(null, true);
    };
    aedes.on('publish', (packet, client) => {
      const leaf = parseTopic(packet.topic)?.leaf;
      if (client === null || leaf === undefined) return;
      const payload = JSON.parse(packet.payload.toString()) as Record<string, unknown>;
      this.received.push({ leaf, payload, qos: packet.qos, retain: packet.retain });
    });
  }

  static async open(): Promise<SiteLine> {
    const aedes = await Aedes.createBroker();
    const server = createServer(aedes.handle);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('no port');
    const world = new SiteWorld(`mqtt://127.0.0.1:${address.port}`);
    const journal = await openJournal({ file: join(world.folder, 'journal.db'), bootId: 'b1' });
    return new SiteLine(aedes, server, world, journal);
  }

  async end(): Promise<void> {
    await this.world.stop();
    await this.journal.close();
    await new Promise<void>((resolve) => this.aedes.close(() => this.#server.close(() => resolve())));
    await this.world.end();
  }

  /** Payloads of one topic, in the order of arrival. */
  of(leaf: string): Record<string, unknown>[] {
    return this.received.filter((each) => each.leaf === leaf).map(({ payload }) => payload);
  }

  births(): ReceivedMessage[] {
    return this.received.filter(({ leaf, payload }) => leaf === 'up/state' && payload.st === 'on');
  }

  say(topic: string, payload: string | object, retain = false): Promise<void> {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return new Promise((resolve, reject) => {
      const packet = { cmd: 'publish', topic, payload: text, qos: 1, retain, dup: false } as const;
      this.aedes.publish(packet, (error) => (error ? reject(error) : resolve()));
    });
  }

  down(leaf: 'dn/twin' | 'dn/ack' | 'dn/req' | 'up/state'): string {
    return topicOf(placeOf(this.world.identity), leaf);
  }

  /** A started host whose connection is open: born, and its lanes too. */
  async online(change: Partial<SitePorts> = {}) {
    const { logged } = this.world;
    const failures = (): number => logged.filter((line) => line.includes('uplink.connect_failed')).length;
    const isOpen = (): boolean => logged.some((line) => line.includes('uplink.connected'));
    const before = failures();
    const host = this.world.host(change);
    host.agent.start();
    await until(() => isOpen() || failures() > before, 'open');
    // A machine that is too busy for the client's own limit: the next attempt is made by the clock of this world.
    await this.world.reach(isOpen, 'open at a later attempt', 500);
    await until(() => this.births().length > 0, 'birth');
    return host;
  }

  get clients(): readonly BrokerSide[] {
    return Object.values((this.aedes as unknown as { clients: Record<string, BrokerSide> }).clients);
  }

  closeAll(): void {
    for (const client of this.clients) client.close();
  }

  request(op: string, more: object = {}) {
    const exp = this.world.wallMs + 30_000;
    return { v: 1, id: '01jc7z5t3k9q8w6m4n2p0r1s50', op, exp, by: 'user:anna', args: {}, ...more };
  }

  row(lane: Lane, type: string, body: object): OutboxRow {
    const seq = this.journal.nextSeq();
    return {
      id: ulid(this.world.wallMs, Buffer.alloc(10, seq)),
      seq,
      lane,
      tenant: 't',
      dest: 'cloud',
      orderKey: 'k',
      type,
      body: JSON.stringify({ type, ...body }),
      createdWall: this.world.wallMs,
      createdMono: this.world.nowMs,
      boot: 1,
      epoch: 0,
      notBefore: 0,
      attempts: 0,
      deadline: 1e12,
      expirePolicy: 'record',
      state: 'new',
      late: false,
      lastErr: null,
      authIdx: 0,
    };
  }

  async keep(rows: readonly OutboxRow[]): Promise<void> {
    await this.journal.commit(rows.map((row) => ({ kind: 'outbox', row }) as const));
  }

  async store(lane: Lane, count: number): Promise<OutboxRow[]> {
    const rows = Array.from({ length: count }, (_, i) => this.row(lane, 'serviceAlarm', { i }));
    await this.keep(rows);
    return rows;
  }
}
