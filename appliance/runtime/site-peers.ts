import {
  type CopyWrite,
  copySchema,
  type Hello,
  helloSchema,
  stateAnswerSchema,
  stateSchema,
} from '#shared/contract/peer/index.ts';
import type { JournalWrite, OutboxRow } from '../outbox/index.ts';
import {
  type CopyEffect,
  CopyLane,
  copiesOf,
  HELLO_MS,
  holderOf,
  initialView,
  leaderOf,
  type Member,
  type SiteView,
  stepView,
  substituteOf,
  type ViewEffect,
  type ViewInput,
  vipIsTwice,
} from '../peer/index.ts';
import type { PeerPorts } from './peer-port.ts';
import { adoptionOf, answerable, heldWrites, stateOfRows, withSessions } from './site-adoption.ts';
import type { Copies } from './site-journal.ts';
import { Timer } from './site-port.ts';

export type { PeerPath, PeerPorts } from './peer-port.ts';

const TICK_MS = 250;
const HELLO_WITHIN_MS = 1_500;
const COPY_WITHIN_MS = 2_000;
const STATE_WITHIN_MS = 10_000;
const STATE_IDS = 500;
const VIP_TWICE_MS = 3_000;
const COMPARE_EVERY_MS = 60_000;

/**
 * The other hosts of the site: who is there, who holds our rows, and what becomes of those of a host that is lost.
 * Decisions are `appliance/peer`'s; here they are carried out.
 */
export class SitePeers implements Copies {
  readonly #ports: PeerPorts;
  readonly #timer: Timer;
  readonly #laneTimer: Timer;
  readonly #lane = new CopyLane();
  readonly #waiting = new Map<number, (copied: boolean) => void>();
  /** Rows of ours that the holder has, not yet delivered. */
  readonly #held = new Set<string>();
  readonly #first = Promise.withResolvers<void>();
  #view: SiteView;
  #waits = 0;
  #holders = 0;
  #helloAtMs = Number.NEGATIVE_INFINITY;
  #twiceSinceMs: number | undefined;
  #members: readonly Member[] = [];
  /** Sessions taken over from each host since it was last there. */
  readonly #adopted = new Map<string, ReadonlySet<string>>();
  #compareAtMs = Number.POSITIVE_INFINITY;
  #comparing = new Set<string>();
  #stopped = false;

  constructor(ports: PeerPorts) {
    this.#ports = ports;
    this.#timer = new Timer(ports);
    this.#laneTimer = new Timer(ports);
    this.#view = initialView(ports.self, ports.journal.epoch);
  }

  start(): void {
    this.#tick();
  }

  stop(): void {
    this.#stopped = true;
    this.#timer.stop();
    this.#laneTimer.stop();
  }

  /** A returning host asks before it sends: resolves when every other host has answered or is taken for dead. */
  compared(): Promise<void> {
    return this.#first.promise;
  }

  get view(): SiteView {
    return this.#view;
  }

  get epoch(): number {
    return this.#view.epoch;
  }

  get leads(): boolean {
    return leaderOf(this.#view, this.#ports.standing()) === this.#ports.self;
  }

  /** A host that could serve in our place. */
  get substitute(): Member | undefined {
    return substituteOf(this.#view);
  }

  member(hostId: string): Member | undefined {
    return this.#members.find((each) => each.hostId === hostId);
  }

  /** hostId of each other host and how its link is: `ok`, `lost`, `dead`. */
  get words(): Readonly<Record<string, string>> {
    const others = this.#members.filter(({ uid }) => uid !== this.#ports.self);
    return Object.fromEntries(
      others.map(({ uid, hostId }) => {
        const at = this.#view.links[uid]?.at ?? 'unknown';
        return [hostId, at === 'up' ? 'ok' : at];
      }),
    );
  }

  /** Another host keeps this row of ours too. */
  isHeld(id: string): boolean {
    return this.#held.has(id);
  }

  // Copies of our rows

  readonly available = (): boolean => this.#lane.holder !== undefined;

  readonly holder = (): number => this.#holders;

  readonly copy = (writes: readonly CopyWrite[]): Promise<boolean> =>
    new Promise((resolve) => {
      const wait = ++this.#waits;
      this.#waiting.set(wait, resolve);
      this.#carry(this.#lane.offer(writes, this.#nowMs, wait));
    });

  readonly note = (writes: readonly CopyWrite[]): void => {
    for (const write of writes) if (write.kind === 'done') this.#held.delete(write.id);
    this.#carry(this.#lane.offer(writes, this.#nowMs));
  };

  #carry(effects: readonly CopyEffect[]): void {
    for (const effect of effects) {
      if (effect.kind === 'send') this.#ports.run(this.#send(effect));
      else {
        const resolve = this.#waiting.get(effect.wait);
        this.#waiting.delete(effect.wait);
        resolve?.(effect.kind === 'copied');
      }
    }
    const dueMs = this.#lane.nextDueMs;
    if (dueMs === undefined || this.#stopped) this.#laneTimer.stop();
    else {
      const delayMs = Math.max(0, dueMs - this.#nowMs);
      this.#laneTimer.start(delayMs, () => this.#carry(this.#lane.tick(this.#nowMs)));
    }
  }

  async #send({ to, n, writes }: Extract<CopyEffect, { kind: 'send' }>): Promise<void> {
    const member = this.#members.find(({ uid }) => uid === to);
    const body = { v: 1, from: this.#ports.self, n, writes };
    const answer = member && (await this.#ports.call(member, 'copy', body, COPY_WITHIN_MS));
    if (this.#stopped) return;
    if (answer === undefined) {
      this.#lane.failed(n, this.#nowMs);
      this.#carry([]);
      return;
    }
    for (const write of writes) {
      if (write.kind === 'outbox') this.#held.add(write.row.id);
      else if (write.kind === 'done') this.#held.delete(write.id);
    }
    this.#carry(this.#lane.confirmed(n, this.#nowMs));
  }

  // What others ask

  /** Undefined: not to be answered. `from` is the uid that the other's key stands for. */
  async answer(path: 'hello' | 'copy' | 'state', from: string, body: unknown): Promise<unknown> {
    if (path === 'hello') {
      const hello = helloSchema.safeParse(body).data;
      if (hello?.uid !== from) return undefined;
      this.#heard(hello);
      return this.#hello();
    }
    if (path === 'copy') {
      const copy = copySchema.safeParse(body).data;
      if (copy?.from !== from || !this.#ports.standing().ready) return undefined;
      await this.#ports.journal.commit(heldWrites(from, copy.writes, this.#ports.clock.wallMs()));
      return { ok: true };
    }
    const asked = stateSchema.safeParse(body).data;
    if (asked?.from !== from) return undefined;
    return await this.#giveBack(from, asked.ids, asked.madeAt);
  }

  async #giveBack(to: string, ids: readonly string[], madeAt: readonly number[] = []): Promise<unknown> {
    const { journal, withdraw } = this.#ports;
    const asked = ids.map((id, at) => ({ id, madeAt: madeAt[at] }));
    const { done, lacking, giveBack } = stateOfRows(this.#ports, to, asked);
    if (giveBack.length > 0) {
      await journal.commit(
        giveBack.flatMap((id): JournalWrite[] => [
          { kind: 'outboxGone', id },
          // It will be copied to us again; until then we have nothing of it.
          { kind: 'peerGone', origin: to, id },
        ]),
      );
      // Not before: a row that is still on the disk is still ours to deliver.
      withdraw(new Set(giveBack));
    }
    return { done, lacking };
  }

  // The view

  #tick(): void {
    if (this.#stopped) return;
    const members = this.#ports.members();
    if (members !== this.#members) {
      this.#members = members;
      this.#decide({ kind: 'members', members, nowMs: this.#nowMs });
    }
    this.#decide({ kind: 'tick', nowMs: this.#nowMs });
    if (this.#nowMs - this.#helloAtMs >= HELLO_MS) {
      this.#helloAtMs = this.#nowMs;
      for (const member of members) if (member.uid !== this.#ports.self) this.#ports.run(this.#greet(member));
      this.#carry(this.#lane.flush(this.#nowMs));
    }
    this.#compareInTime();
    this.#watchVip();
    this.#timer.start(TICK_MS, () => this.#tick());
  }

  #hello(): Hello {
    const { epoch, owner, self } = this.#view;
    return { v: 1, uid: self, epoch, owner, ...this.#ports.standing() };
  }

  async #greet(member: Member): Promise<void> {
    const answer = await this.#ports.call(member, 'hello', this.#hello(), HELLO_WITHIN_MS);
    const hello = helloSchema.safeParse(answer).data;
    if (this.#stopped || hello?.uid !== member.uid) return;
    this.#heard(hello);
  }

  #heard(hello: Hello): void {
    this.#decide({ kind: 'heard', hello, nowMs: this.#nowMs });
    if (this.#view.links[hello.uid] !== undefined) this.#ports.onHello(hello);
  }

  #decide(input: ViewInput): void {
    if (this.#stopped) return;
    const { state, effects } = stepView(this.#view, input);
    this.#view = state;
    for (const effect of effects) this.#perform(effect);
    const holder = holderOf(state)?.uid;
    if (holder !== this.#lane.holder) {
      this.#held.clear();
      this.#holders++;
      this.#carry(this.#lane.hold(holder));
      this.#compareAtMs = this.#nowMs + COMPARE_EVERY_MS;
      if (holder !== undefined) this.#ports.run(this.#begin(holder));
    }
    this.#noteCompared();
  }

  #perform(effect: ViewEffect): void {
    const { journal, log, run, onEpoch } = this.#ports;
    switch (effect.kind) {
      case 'keepEpoch':
        // On the disk before anything is stamped with it: a term that a crash forgets would be raised twice.
        run(journal.commit([{ kind: 'epoch', epoch: effect.epoch }]).then(() => onEpoch(effect.epoch)));
        return;
      case 'takeOver':
        run(this.#adopt(effect.of, 'all'));
        this.#ports.onGone(effect.of);
        return;
      case 'linked':
        log('info', 'another host of the site is there', { uid: effect.to });
        this.#adopted.delete(effect.to);
        this.#ports.onBack(effect.to);
        run(this.#compare(effect.to));
        return;
      case 'lost':
        log('warn', 'another host of the site does not answer', { uid: effect.to });
        return;
      case 'doubt':
        run(this.#adopt(effect.of, 'sessions'));
    }
  }

  async #adopt(of: string, what: 'sessions' | 'all'): Promise<void> {
    const known = this.#adopted.get(of) ?? new Set<string>();
    const adoption = adoptionOf(this.#ports, of, what, known);
    if (adoption === undefined) return;
    const { rows, sessions } = adoption;
    this.#adopted.set(of, new Set([...known, ...sessions]));
    await this.#ports.journal.commit(adoption.writes);
    if (this.#stopped) return;
    this.#ports.log('warn', 'what a lost host left is carried on here', {
      uid: of,
      epoch: this.#view.epoch,
      rows: rows.length,
      sessions: sessions.size,
    });
    this.#ports.onAdopted(adoption);
    // They are ours now, and whoever holds our rows must have them too.
    if (this.available()) this.note(copiesOf(adoption.writes));
  }

  /** A new holder gets every session whose device may still say something, then what nobody has yet. */
  async #begin(holder: string): Promise<void> {
    const sessions = answerable(this.#ports).map((row): JournalWrite => ({ kind: 'session', row }));
    this.#carry(this.#lane.catchUp(copiesOf(sessions), this.#nowMs));
    await this.#compare(holder);
  }

  /** What we have not delivered: the other says what it has done in our place, and is given what it lacks. */
  async #compare(to: string): Promise<void> {
    if (this.#comparing.has(to)) return;
    this.#comparing.add(to);
    try {
      await this.#compareAll(to);
    } finally {
      this.#comparing.delete(to);
      this.#noteCompared();
    }
  }

  async #compareAll(to: string): Promise<void> {
    const { journal, clock } = this.#ports;
    const member = this.#members.find(({ uid }) => uid === to);
    if (member === undefined) return;
    let afterSeq = 0;
    for (;;) {
      const rows = journal.undelivered(afterSeq, STATE_IDS);
      if (rows.length === 0 && afterSeq > 0) return;
      const ids = rows.map(({ id }) => id);
      const madeAt = rows.map(({ createdWall }) => createdWall);
      const body = { v: 1, from: this.#ports.self, ids, madeAt };
      const said = await this.#ports.call(member, 'state', body, STATE_WITHIN_MS);
      const answer = stateAnswerSchema.safeParse(said).data;
      if (this.#stopped || answer === undefined) return;
      if (answer.done.length > 0) {
        const atMs = clock.wallMs();
        await journal.commit(
          answer.done.map(
            (id): JournalWrite => ({ kind: 'outboxChange', id, atMs, change: { state: 'done' } }),
          ),
        );
        this.#ports.withdraw(new Set(answer.done));
      }
      if (this.#lane.holder === to) this.#catchUp(rows, answer.lacking, answer.done);
      afterSeq = rows.at(-1)?.seq ?? afterSeq;
      if (rows.length < STATE_IDS) return;
    }
  }

  #catchUp(rows: readonly OutboxRow[], lacking: readonly string[], done: readonly string[]): void {
    const { journal } = this.#ports;
    const missing = new Set(lacking);
    const over = new Set(done);
    for (const row of rows) if (!missing.has(row.id) && !over.has(row.id)) this.#held.add(row.id);
    this.#carry(this.#lane.catchUp(copiesOf(withSessions(journal, lacking)), this.#nowMs));
  }

  #compareInTime(): void {
    const { holder } = this.#lane;
    if (holder === undefined || this.#nowMs < this.#compareAtMs) return;
    this.#compareAtMs = this.#nowMs + COMPARE_EVERY_MS;
    this.#ports.run(this.#compare(holder));
  }

  #noteCompared(): void {
    const { links } = this.#view;
    if (this.#comparing.size > 0 || this.#members.length === 0) return;
    if (Object.values(links).every(({ at }) => at !== 'unknown')) this.#first.resolve();
  }

  #watchVip(): void {
    if (!vipIsTwice(this.#view, this.#ports.standing())) {
      if (this.#twiceSinceMs !== undefined) this.#ports.onVipTwice(false);
      this.#twiceSinceMs = undefined;
      return;
    }
    this.#twiceSinceMs ??= this.#nowMs;
    if (this.#nowMs - this.#twiceSinceMs > VIP_TWICE_MS) this.#ports.onVipTwice(true);
  }

  get #nowMs(): number {
    return this.#ports.clock.monoMs();
  }
}
