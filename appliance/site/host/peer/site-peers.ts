import {
  copySchema,
  type Hello,
  helloSchema,
  type StateAnswer,
  stateAnswerSchema,
  stateSchema,
} from '#shared/contract/peer/index.ts';
import type { JournalWrite, OutboxRow } from '../../../delivery/outbox/index.ts';
import {
  copiesOf,
  HELLO_MS,
  holderOf,
  initialView,
  leaderOf,
  type Member,
  ownPlaces,
  placesOfSite,
  type SiteView,
  stepView,
  substituteOf,
  type ViewEffect,
  type ViewInput,
  vipIsTwice,
} from '../../peer/index.ts';
import { Timer } from '../site-port.ts';
import type { PeerPorts } from './peer-port.ts';
import {
  adoptionOf,
  answerable,
  heldOfOurs,
  heldWrites,
  stateOfRows,
  withSessions,
} from './site-adoption.ts';
import { SiteCopies } from './site-copies.ts';
import { askAboutCopies } from './site-owed.ts';

export type { PeerPath, PeerPorts } from './peer-port.ts';

const TICK_MS = 250;
const HELLO_WITHIN_MS = 1_500;
const STATE_WITHIN_MS = 10_000;
const STATE_IDS = 500;
const VIP_TWICE_MS = 3_000;
const COMPARE_EVERY_MS = 60_000;
/** Copies that are younger are most likely under way, and their host says by itself when it has delivered them. */
const YOUNG_MS = 30_000;
/** A host that was away has written by then its pending writes from before, or never will. */
const RETURNED_MS = 2_000;

/**
 * The other hosts of the site: who is there, who holds our rows, and what becomes of those of a host that is lost.
 * Decisions are `appliance/site/peer`'s; here they are carried out.
 */
export class SitePeers {
  /** The copies of our rows at another host. */
  readonly copies: SiteCopies;
  readonly #ports: PeerPorts;
  readonly #timer: Timer;
  readonly #first = Promise.withResolvers<void>();
  #view: SiteView;
  #helloAtMs = Number.NEGATIVE_INFINITY;
  #twiceSinceMs: number | undefined;
  #members: readonly Member[] = [];
  /** Sessions taken over from each host since it was last there. */
  readonly #adopted = new Map<string, ReadonlySet<string>>();
  /** Where our services go while we are drained: uid, or null for nowhere. */
  #places: ReadonlyMap<string, string | null> = new Map();
  #compareAtMs = Number.POSITIVE_INFINITY;
  #comparing = new Set<string>();
  #stopped = false;

  constructor(ports: PeerPorts) {
    this.#ports = ports;
    this.#timer = new Timer(ports);
    this.copies = new SiteCopies(ports, (uid) => this.#members.find((each) => each.uid === uid));
    // Everything is stamped with a term from 1 on: the first take-over has to read as another one.
    this.#view = initialView(ports.self, Math.max(1, ports.journal.epoch));
  }

  start(): void {
    this.#tick();
  }

  /** The configuration may name other hosts: one that was alone until now has nothing else that would wake it. */
  membersChanged(): void {
    if (this.#ports.members() !== this.#members) this.#tick();
  }

  stop(): void {
    this.#stopped = true;
    this.#timer.stop();
    this.copies.stop();
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

  /** hostId of the host that takes each of our services while we are drained, null: none may; absent: not decided yet. */
  get places(): Readonly<Record<string, string | null>> {
    this.#places = ownPlaces(this.#view, this.#standing());
    const nameOf = (to: string | null) => this.#members.find(({ uid }) => uid === to)?.hostId ?? null;
    return Object.fromEntries([...this.#places].map(([service, to]) => [service, nameOf(to)]));
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

  // Requests of others

  /** Undefined: not to be answered. `from` is the uid that the other's key stands for. */
  async answer(path: 'hello' | 'copy' | 'state', from: string, body: unknown): Promise<unknown> {
    if (path === 'hello') {
      const hello = helloSchema.safeParse(body).data;
      if (hello?.uid !== from) return undefined;
      this.#onHello(hello);
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
    const { held, heldAt = [] } = asked;
    const ours = held?.map((id, at) => ({ id, madeAt: heldAt[at] }));
    const said = ours && heldOfOurs(this.#ports, ours);
    return { ...(await this.#giveBack(from, asked.ids, asked.madeAt)), ...said };
  }

  async #giveBack(to: string, ids: readonly string[], madeAt: readonly number[] = []): Promise<StateAnswer> {
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
      this.#decide({ kind: 'members', members, atMs: this.#nowMs });
    }
    this.#decide({ kind: 'tick', atMs: this.#nowMs });
    if (this.#nowMs - this.#helloAtMs >= HELLO_MS) {
      this.#helloAtMs = this.#nowMs;
      for (const member of members) if (member.uid !== this.#ports.self) this.#ports.run(this.#greet(member));
      this.copies.flush();
    }
    this.#compareInTime();
    this.#watchVip();
    // A host that is alone has no host to wait for.
    if (members.some(({ uid }) => uid !== this.#ports.self)) this.#timer.start(TICK_MS, () => this.#tick());
  }

  /** Our report about ourselves; the leader also says where the services of drained hosts go. */
  #hello(): Hello {
    const { epoch, owner, self } = this.#view;
    const own = this.#standing();
    const placed = this.leads ? { placed: [...placesOfSite(this.#view, own)] } : {};
    return { v: 1, uid: self, epoch, owner, ...own, ...placed };
  }

  #standing() {
    const { moving = [], ...standing } = this.#ports.standing();
    const places = moving.map((service) => ({ service, to: this.#places.get(service) }));
    return { ...standing, ...(moving.length > 0 && { moving: places }) };
  }

  async #greet(member: Member): Promise<void> {
    const answer = await this.#ports.call(member, 'hello', this.#hello(), HELLO_WITHIN_MS);
    const hello = helloSchema.safeParse(answer).data;
    if (this.#stopped || hello?.uid !== member.uid) return;
    this.#onHello(hello);
  }

  #onHello(hello: Hello): void {
    this.#decide({ kind: 'heard', hello, atMs: this.#nowMs });
    if (this.#view.links[hello.uid] !== undefined) this.#ports.onHello(hello);
  }

  #decide(input: ViewInput): void {
    if (this.#stopped) return;
    const { state, effects } = stepView(this.#view, input);
    this.#view = state;
    for (const effect of effects) this.#perform(effect);
    const holder = holderOf(state)?.uid;
    if (holder !== this.copies.heldBy) {
      this.copies.hold(holder);
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
        this.#ports.onSilent(effect.of);
        return;
      case 'linked':
        log('info', 'peer.appeared', 'Another host of the site appeared', { uid: effect.to });
        this.#adopted.delete(effect.to);
        this.#ports.onBack(effect.to);
        run(this.#compare(effect.to).then(() => this.#askAboutCopies(effect.to, RETURNED_MS)));
        return;
      case 'lost':
        log('warn', 'peer.lost', 'Another host of the site stopped answering', { uid: effect.to });
        return;
      case 'doubt':
        run(this.#adopt(effect.of, 'sessions'));
    }
  }

  async #adopt(of: string, what: 'sessions' | 'all' | ReadonlySet<string>): Promise<void> {
    const known = this.#adopted.get(of) ?? new Set<string>();
    const adoption = adoptionOf(this.#ports, of, what, known);
    if (adoption === undefined) return;
    const { rows, sessions } = adoption;
    this.#adopted.set(of, new Set([...known, ...sessions]));
    const written = this.#ports.journal.commit(adoption.writes);
    // Not behind the commit: a device that repeats meanwhile would find its alarm on the disk and without an owner, and be
    // heard as another one. A copy of it is on our disk all the time.
    this.#ports.onLeft(adoption.left);
    await written.catch((cause: unknown) => {
      // The rows are still delivered: the copies stay, and the next start takes them over once more, under the same ids.
      this.#adopted.set(of, known);
      this.#ports.log(
        'error',
        'takeover.store_failed',
        'Could not store the work of a lost host; delivered it from memory',
        {
          cause: String(cause),
        },
      );
    });
    if (this.#stopped) return;
    this.#ports.log('warn', 'takeover.completed', 'Took over the work of a lost host', {
      uid: of,
      epoch: this.#view.epoch,
      rows: rows.length,
      sessions: sessions.size,
    });
    this.#ports.onAdopted(adoption);
    // They are ours now, and whoever holds our rows must have them too.
    if (this.copies.available()) this.copies.note(copiesOf(adoption.writes));
  }

  /** A new holder gets every session whose device may still say something, then the rows that no receiver has yet. */
  async #begin(holder: string): Promise<void> {
    const sessions = answerable(this.#ports).map((row): JournalWrite => ({ kind: 'session', row }));
    this.copies.catchUp(copiesOf(sessions));
    await this.#compare(holder);
  }

  /**
   * Compares the rows that we have not delivered: the other says which it has delivered in our place, and gets those that it
   * lacks.
   */
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
      if (this.copies.heldBy === to) this.#catchUp(rows, answer.lacking, answer.done);
      afterSeq = rows.at(-1)?.seq ?? afterSeq;
      if (rows.length < STATE_IDS) return;
    }
  }

  #catchUp(rows: readonly OutboxRow[], lacking: readonly string[], done: readonly string[]): void {
    const { journal } = this.#ports;
    const missing = new Set(lacking);
    const over = new Set(done);
    this.copies.known(rows.map(({ id }) => id).filter((id) => !missing.has(id) && !over.has(id)));
    this.copies.catchUp(copiesOf(withSessions(journal, lacking)));
  }

  #compareInTime(): void {
    const holder = this.copies.heldBy;
    if (holder === undefined || this.#nowMs < this.#compareAtMs) return;
    this.#compareAtMs = this.#nowMs + COMPARE_EVERY_MS;
    const { run } = this.#ports;
    run(this.#compare(holder));
    for (const [uid, { at }] of Object.entries(this.#view.links))
      if (at === 'up') run(this.#askAboutCopies(uid, YOUNG_MS));
  }

  async #askAboutCopies(of: string, youngMs: number): Promise<void> {
    const member = this.#members.find(({ uid }) => uid === of);
    const lost = member && (await askAboutCopies(this.#ports, member, youngMs));
    if (lost !== undefined && lost.size > 0 && !this.#stopped) await this.#adopt(of, lost);
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
