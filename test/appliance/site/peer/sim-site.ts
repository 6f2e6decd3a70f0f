import type { JournalWrite, SessionRow } from '#appliance/delivery/outbox/index.ts';
import { siteJournal } from '#appliance/site/host/peer/site-journal.ts';
import { SitePeers } from '#appliance/site/host/peer/site-peers.ts';
import type { Member } from '#appliance/site/peer/index.ts';
import { alarmWrites, nextState } from './sim-alarm.ts';
import { SimClock, seeded } from './sim-clock.ts';
import { type Alarm, type Flaw, Host, type Life } from './sim-host.ts';
import { violationsOf } from './sim-judge.ts';

/** A site in a box: hosts that crash, a network that loses, doubles and turns around, devices that repeat, a receiver. */
export class SimSite {
  readonly clock = new SimClock();
  readonly random: () => number;
  readonly hosts: readonly Host[];
  readonly alarms: Alarm[] = [];
  /** Ids that the receiver has taken, as often as they came. */
  readonly received: string[] = [];
  readonly epochs = new Map<string, string>();
  readonly violations: string[] = [];
  readonly figures = {
    crashes: 0,
    cuts: 0,
    adopted: 0,
    copied: 0,
    secondIds: 0,
    repeatedIds: 0,
    gone: 0,
    back: 0,
  };
  calm = false;
  /** Ids that another host has confirmed. */
  readonly copied = new Set<string>();
  readonly #flaw: Flaw;
  readonly #cut = new Set<string>();
  /** The host that has the address of the site. */
  #vip = 0;
  #ids = 0;
  /** Its disk is lost. */
  #destroyed: Host | undefined;

  constructor(seed: number, hosts: number, flaw: Flaw = {}) {
    this.random = seeded(seed);
    this.#flaw = flaw;
    this.hosts = Array.from(
      { length: hosts },
      (_, at) => new Host(`01jc7z5t3k9q8w6m4n2p0r1s5${'abcdef'[at]}`),
    );
  }

  get members(): readonly Member[] {
    return this.#members;
  }
  readonly #members: Member[] = [];

  /** A site that lives for `seconds`, is then left in peace, and must have kept its promises. */
  async run(seconds: number, destroyed = -1): Promise<void> {
    for (const [order, { uid }] of this.hosts.entries()) {
      this.#members.push({ uid, hostId: `h${order}`, publicKey: '', order, address: uid });
    }
    for (const host of this.hosts) this.#start(host);
    this.#devices(seconds * 1_000);
    this.#faults(seconds * 1_000);
    await this.clock.runUntil(seconds * 1_000);
    this.calm = true;
    this.#cut.clear();
    const lost = this.hosts[destroyed];
    if (lost !== undefined) this.#stop(lost);
    this.#destroyed = lost;
    for (const host of this.hosts) {
      host.disk.broken = false;
      if (host.life === undefined && host !== lost) this.#start(host);
    }
    await this.clock.runUntil(seconds * 1_000 + 150_000);
    this.violations.push(...violationsOf(this, lost));
  }

  #start(host: Host): void {
    const [queue, sessions, running] = [new Map(), new Map(), new Map()];
    const [inProgress, hearing, given] = [new Set(), new Set(), new Set()];
    const life = {
      alive: true,
      queue,
      sessions,
      running,
      underWay: inProgress,
      hearing,
      given,
    } as unknown as Life;
    const knows = (row: SessionRow): void => {
      if ((host.disk.sessions.get(row.id)?.rank ?? 0) > (row.rank ?? 0)) host.disk.wentBack.add(row.id);
      life.sessions.set(row.dedupeKey ?? '', row.id.slice('session-'.length));
      if (!row.closed) this.#goOn(host, life, row);
    };
    const disk = host.disk.open(this.clock, this.random, () => life.alive);
    const peers = new SitePeers({
      self: host.uid,
      journal: this.#flaw.overwrites ? { ...disk, session: () => undefined } : disk,
      clock: { monoMs: () => this.clock.nowMs, wallMs: () => 1_770_000_000_000 + this.clock.nowMs },
      log: () => undefined,
      run: (work) => void work.catch(() => undefined),
      startTimer: (ms, fire) => this.clock.after(ms, () => life.alive && fire()),
      members: () => this.#members,
      call: (to, path, body, withinMs) => this.#call(host, to.uid, path, body, withinMs),
      standing: () => ({ ready: !host.disk.broken, serving: true }),
      running: () => new Set(this.#flaw.overwrites ? [] : life.running.keys()),
      twinOf: () => undefined,
      onEpoch: (epoch) => this.#epoch(host, epoch),
      deadline: () => Number.MAX_SAFE_INTEGER,
      isInFlight: (id) => life.inProgress.has(id),
      withdraw: (ids) => {
        for (const id of ids) if (!life.inProgress.has(id)) life.queue.delete(id);
      },
      onLeft: ({ sessions }) => {
        for (const row of sessions) knows(row);
      },
      onAdopted: ({ rows }) => {
        this.figures.adopted += rows.length;
        for (const row of rows) {
          const id = this.#flaw.renames ? `new ${row.id}` : row.id;
          life.queue.set(id, { ...row, id });
        }
      },
      onVipTwice: () => undefined,
      onHello: () => undefined,
      onSilent: () => void this.figures.gone++,
      onBack: () => void this.figures.back++,
    });
    const journal = siteJournal({
      journal: disk,
      copies: {
        ...peers.copies,
        copy: async (writes) => {
          const there = await peers.copies.copy(writes);
          for (const write of writes) if (there && write.kind === 'outbox') this.copied.add(write.row.id);
          return there;
        },
      },
      log: () => undefined,
      onHeld: (row) => life.queue.set(row.id, row),
    });
    Object.assign(life, { journal, peers });
    host.life = life;
    for (const row of host.disk.sessions.values()) knows(row);
    peers.start();
    void peers.compared().then(() => {
      if (!life.alive) return;
      for (const row of disk.undelivered(0, 10_000)) life.queue.set(row.id, row);
    });
    this.#deliver(host, life);
  }

  #stop(host: Host): void {
    const { life } = host;
    if (life === undefined) return;
    life.alive = false;
    life.peers.stop();
    host.life = undefined;
    host.disk.crash(this.random);
  }

  // The network between hosts

  async #call(from: Host, uid: string, path: string, body: unknown, withinMs: number): Promise<unknown> {
    const to = this.hosts.find((host) => host.uid === uid);
    const caller = from.life;
    return await new Promise((resolve) => {
      const late = this.clock.after(withinMs, () => resolve(undefined));
      const travel = (): number => (this.random() < 0.05 ? 300 * this.random() : 1 + 5 * this.random());
      const lost = (): boolean => !this.calm && this.random() < 0.05;
      const deliver = (): void => {
        const life = to?.life;
        if (life === undefined || this.#isCut(from.uid, uid)) return;
        const said = JSON.parse(JSON.stringify(body)) as unknown;
        const answering =
          this.#flaw.forgetful && path === 'copy'
            ? Promise.resolve({ ok: true })
            : life.peers.answer(path as 'hello', from.uid, said);
        void answering
          .catch(() => undefined)
          .then((answer) => {
            if (answer === undefined || !life.alive || lost()) return;
            this.clock.after(travel(), () => {
              if (this.#isCut(from.uid, uid) || caller?.alive !== true) return;
              late();
              resolve(JSON.parse(JSON.stringify(answer)));
            });
          });
      };
      if (lost()) return;
      this.clock.after(travel(), deliver);
      // The same request twice, the second one behind later ones.
      if (!this.calm && this.random() < 0.05) this.clock.after(travel() + 50 * this.random(), deliver);
    });
  }

  #isCut(a: string, b: string): boolean {
    return this.#cut.has(`${a} ${b}`) || this.#cut.has(`${b} ${a}`);
  }

  // Devices and the receiver

  #devices(endMs: number): void {
    let n = 0;
    const next = (): void => {
      if (this.clock.nowMs >= endMs) return;
      const alarm: Alarm = { reference: `A${++n}`, acknowledged: false, ids: new Set() };
      this.alarms.push(alarm);
      this.#send(alarm, 0);
      this.clock.after(100 + 400 * this.random(), next);
    };
    next();
    this.#moveVip();
  }

  /** A host that holds the address and dies loses it 3.2 s later. */
  #moveVip(): void {
    const deadSince = { ms: undefined as number | undefined };
    const look = (): void => {
      if (this.hosts[this.#vip]?.life !== undefined) deadSince.ms = undefined;
      else {
        deadSince.ms ??= this.clock.nowMs;
        const next = this.hosts.findIndex(({ life }) => life !== undefined);
        if (next >= 0 && this.clock.nowMs - deadSince.ms >= 3_200) this.#vip = next;
      }
      this.clock.after(100, look);
    };
    look();
  }

  #send(alarm: Alarm, tries: number): void {
    if (alarm.acknowledged || tries > 30) return;
    const host = this.hosts[this.#vip];
    if (host?.life !== undefined) void this.#arrive(host, host.life, alarm).catch(() => undefined);
    // As SIP does it: soon at first, then every few seconds.
    this.clock.after(Math.min(500 * 2 ** tries, 3_000), () => this.#send(alarm, tries + 1));
  }

  async #arrive(host: Host, life: Life, alarm: Alarm): Promise<void> {
    const known = life.sessions.get(alarm.reference);
    if (known !== undefined) {
      // A repeat of what is on the disk: the answer may get lost again.
      alarm.ids.add(known);
      if (this.random() < 0.8) alarm.acknowledged = true;
      return;
    }
    if (life.hearing.has(alarm.reference)) return;
    // As `AlarmIds` makes them: of what the device names, on every host alike; what is known already is another alarm.
    const named = `event-${alarm.reference}`;
    const isTaken = life.given.has(named) || host.disk.outbox.has(named);
    const id = isTaken ? `event-x${++this.#ids}` : named;
    life.given.add(id);
    const writes = alarmWrites(
      alarm.reference,
      id,
      life.journal.nextSeq(),
      life.peers.epoch,
      this.clock.nowMs,
    );
    const session = writes.flatMap((write) => (write.kind === 'session' ? [write.row] : []))[0];
    if (session === undefined) return;
    // This host has it from its first word on: no other one takes it over meanwhile.
    life.hearing.add(alarm.reference);
    life.running.set(session.id, session);
    try {
      await life.journal.commit(writes);
    } catch (cause) {
      if (life.running.get(session.id) === session) life.running.delete(session.id);
      throw cause;
    } finally {
      life.hearing.delete(alarm.reference);
    }
    if (!life.alive) return;
    life.sessions.set(alarm.reference, id);
    this.#goOn(host, life, session);
    alarm.ids.add(id);
    if (life.peers.copies.available()) this.figures.copied++;
    const row = writes.flatMap((write) => (write.kind === 'outbox' ? [write.row] : []))[0];
    if (row !== undefined) life.queue.set(id, row);
    if (this.random() < 0.8) alarm.acknowledged = true;
  }

  /** The conversation with the device, in steps until it is over; each is committed. */
  #goOn(host: Host, life: Life, row: SessionRow): void {
    life.running.set(row.id, row);
    this.clock.after(500 + 6_000 * this.random(), () => {
      if (!life.alive || life.running.get(row.id) !== row) return;
      const next = nextState(row, life.peers.epoch, this.clock.nowMs);
      if (next.closed) life.running.delete(row.id);
      else this.#goOn(host, life, next);
      const kept = life.journal.commit([{ kind: 'session', row: next }]);
      void kept.catch(() => undefined);
    });
  }

  #deliver(host: Host, life: Life): void {
    if (!life.alive) return;
    for (const id of [...life.queue.keys()]) {
      if (life.inProgress.has(id) || this.random() < 0.3) continue;
      life.inProgress.add(id);
      this.clock.after(10 + 100 * this.random(), () => {
        if (!life.alive) return;
        this.received.push(id);
        life.inProgress.delete(id);
        life.queue.delete(id);
        const change: JournalWrite = { kind: 'outboxChange', id, atMs: 0, change: { state: 'done' } };
        void life.journal.commit([change]).catch(() => undefined);
      });
    }
    this.clock.after(250, () => this.#deliver(host, life));
  }

  // Faults

  #faults(endMs: number): void {
    const next = (): void => {
      if (this.clock.nowMs >= endMs) return;
      const host = this.hosts[Math.floor(this.random() * this.hosts.length)];
      const other = this.hosts[Math.floor(this.random() * this.hosts.length)];
      const what = this.random();
      if (host !== undefined && what < 0.5) this.#crash(host);
      else if (host !== undefined && other !== undefined && what < 0.8) this.#part(host, other);
      else if (host !== undefined) this.#breakDisk(host);
      this.clock.after(2_000 + 12_000 * this.random(), next);
    };
    this.clock.after(3_000 * this.random(), next);
  }

  #crash(host: Host): void {
    if (host.life === undefined) return;
    this.figures.crashes++;
    this.#stop(host);
    this.clock.after(200 + 20_000 * this.random(), () => {
      if (host.life === undefined && host !== this.#destroyed) this.#start(host);
    });
  }

  #part(a: Host, b: Host): void {
    if (a === b) return;
    this.figures.cuts++;
    this.#cut.add(`${a.uid} ${b.uid}`);
    this.clock.after(500 + 12_000 * this.random(), () => this.#cut.delete(`${a.uid} ${b.uid}`));
  }

  #breakDisk(host: Host): void {
    host.disk.broken = true;
    this.clock.after(500 + 3_000 * this.random(), () => {
      host.disk.broken = false;
    });
  }

  #epoch(host: Host, epoch: number): void {
    const { owner } = host.life?.peers.view ?? { owner: '' };
    if (owner === host.uid) {
      const key = `${epoch} ${host.uid}`;
      if (this.epochs.has(key)) this.violations.push(`${host.uid} raised epoch ${epoch} twice`);
      this.epochs.set(key, host.uid);
    }
  }
}
