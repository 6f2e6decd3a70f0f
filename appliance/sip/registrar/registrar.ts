import {
  type Binding,
  behindStep,
  type Change,
  contactKeyOf,
  DEFAULT_REGISTRAR,
  holderOf,
  isBrowser,
  keyBeside,
  type RegistrarSettings,
  type RemovalReason,
} from './binding.ts';
import { ExpiryCalendar } from './expiry-calendar.ts';
import { heldSince, isProven, type Proof, ranked, rightsOf } from './holding.ts';
import { orderOf } from './order.ts';
import type { Registration, WantedContact } from './registration.ts';

/** The answer to a REGISTER, and the changes. */
export type Registered =
  | {
      readonly outcome: 'registered';
      /** Contacts there are now, as far as the sender may change them: others are none of its business. */
      readonly bindings: readonly Binding[];
      readonly changes: readonly Change[];
      /** The bindings of others: they stay though the sender, who has no secret, wanted to change something. */
      readonly others: readonly Binding[];
    }
  /** 503: others hold every place, and the sender has no secret. */
  | { readonly outcome: 'full'; readonly others: readonly Binding[] }
  /** 423 with Min-Expires, seconds (RFC 3261 10.3 step 7). */
  | { readonly outcome: 'tooBrief'; readonly minExpires: number }
  /** 500: an older request overtaken by a newer one; nothing was changed. */
  | { readonly outcome: 'outOfOrder' };

/**
 * Bindings of addresses-of-record (RFC 3261 10.3), in memory; `changes` keep the durable rows alike.
 *
 *     (none) ──REGISTER, expires > 0──> bound ──refresh: other Call-ID, CSeq not lower──> bound
 *                                         └──expires 0, `*`, time, place taken──> (none)
 *
 * A REGISTER is carried out whole or not at all. `nowMs` is wall clock, epoch milliseconds.
 * A REGISTER without a secret changes what its own address holds, and nothing else: it can neither remove, replace nor
 * outrank what another address holds.
 */
export class Registrar {
  readonly #settings: RegistrarSettings;
  /** Per address-of-record, newest first. */
  readonly #byAor = new Map<string, readonly Binding[]>();
  readonly #calendar = new ExpiryCalendar();
  /** The users that registered over a connection; may name some that meanwhile use another one. */
  readonly #aorsOf = new Map<number, Set<string>>();

  readonly #hasSecret: Proof;

  /** @param hasSecret Does this address-of-record register by a secret? It judges rows that do not say so themselves. */
  constructor(settings: Partial<RegistrarSettings> = {}, hasSecret: Proof = () => false) {
    this.#settings = { ...DEFAULT_REGISTRAR, ...settings };
    this.#hasSecret = hasSecret;
  }

  /** Addresses-of-record with at least one binding. */
  get size(): number {
    return this.#byAor.size;
  }

  /** Addresses-of-record in no order; a binding of theirs may have run out. */
  aors(): Iterable<string> {
    return this.#byAor.keys();
  }

  register(wanted: Registration, nowMs: number): Registered {
    const live = this.#live(wanted.aor, nowMs);
    const [own, others] = rightsOf(live, wanted);
    const contacts = wanted.contacts === '*' ? own.map(unregistering) : wanted.contacts;
    if (contacts.some((contact) => this.#tooBrief(contact))) {
      return { outcome: 'tooBrief', minExpires: this.#settings.minExpires };
    }
    const before = contacts.map((contact) => sameContact(own, contact));
    const order = before.map((binding) => orderOf(binding, wanted, nowMs));
    if (order.includes('overtaken')) return { outcome: 'outOfOrder' };
    const places = this.#settings.maxContacts - others.length;
    if (places <= 0 && contacts.some(({ expires }) => expires !== 0)) return { outcome: 'full', others };

    const changes = this.#expired(wanted.aor, live);
    let held = own;
    for (const [i, contact] of contacts.entries()) {
      if (order[i] === 'repeated' && contact.expires === 0) continue;
      const replaced = held.filter((binding) => isSame(binding, contact));
      if (contact.expires !== 0) {
        const binding = this.#binding(wanted, { contact, before: before[i], own, others }, nowMs);
        for (const each of replaced) if (each.key !== binding.key) changes.push(removed(each, 'replaced'));
        changes.push({ kind: 'stored', binding });
        held = [binding, ...held.filter((each) => !replaced.includes(each))];
      } else if (replaced.length > 0) {
        for (const each of replaced) changes.push(removed(each, 'unregistered'));
        held = held.filter((each) => !replaced.includes(each));
      }
    }
    const oldest = held.slice(places);
    for (const each of oldest) changes.push(removed(each, 'replaced'));
    held = held.slice(0, places);
    if (changes.length > 0)
      this.#keep(wanted.aor, others.length === 0 ? held : newestFirst([...held, ...others]));
    const isAsking = wanted.contacts !== '*' && wanted.contacts.length === 0;
    return { outcome: 'registered', bindings: held, changes, others: isAsking ? [] : others };
  }

  /**
   * Live bindings, the one to try first in front: proven ones alone where there are any; else by the address that has held
   * for longer; of one address by higher q, then newer. Only the newest open one of several flows of one phone (RFC 5626 5.3):
   * a fork must not ring it twice.
   */
  lookup(aor: string, nowMs: number): readonly Binding[] {
    return ranked(this.#live(aor, nowMs), this.#hasSecret);
  }

  /** Where an answer to a request from this address may go, too: what a secret has proven, then what the address holds. */
  answering(aor: string, address: string, nowMs: number): readonly Binding[] {
    const live = this.#live(aor, nowMs);
    const proven = live.filter((binding) => isProven(binding, this.#hasSecret));
    const held = live.filter((binding) => !proven.includes(binding) && holderOf(binding) === address);
    return [...ranked(proven, this.#hasSecret), ...ranked(held, this.#hasSecret)];
  }

  /** Does a secret of its device stand behind this binding? */
  isProven(binding: Binding): boolean {
    return isProven(binding, this.#hasSecret);
  }

  /** Every live binding, newest first, also those that `lookup` passes over. */
  bindings(aor: string, nowMs: number): readonly Binding[] {
    return this.#live(aor, nowMs);
  }

  /**
   * The wall clock was set: each binding keeps the time that it had left. Durable rows keep the time of the other clock until
   * their device refreshes them: writing all of them at once would hold up an alarm.
   *
   * @param stepMs by so much, ms; negative: back
   * @param nowMs wall clock behind the step, epoch ms
   */
  clockSet(stepMs: number, nowMs: number): void {
    for (const [aor, bindings] of this.#byAor)
      this.#keep(
        aor,
        bindings.map((binding) => behindStep(binding, stepMs, nowMs)),
      );
  }

  /** Timer input, about once a second: removes what has run out. `lookup` does not wait for it. */
  expire(nowMs: number): Change[] {
    const changes: Change[] = [];
    for (const aor of this.#calendar.due(nowMs)) {
      const live = this.#live(aor, nowMs);
      changes.push(...this.#expired(aor, live));
      this.#keep(aor, live);
    }
    return changes;
  }

  /** Does a live binding go by this connection? */
  uses(connection: number, nowMs: number): boolean {
    for (const aor of this.#aorsOf.get(connection) ?? [])
      if (this.#live(aor, nowMs).some(({ flow }) => flow?.connection === connection)) return true;
    return false;
  }

  /**
   * A connection is closed: a device that registered over it keeps its contact, which is the only way left to reach it.
   * A browser has none: its binding goes at once.
   */
  flowClosed(connection: number): Change[] {
    const changes: Change[] = [];
    for (const aor of this.#aorsOf.get(connection) ?? []) {
      const bindings = (this.#byAor.get(aor) ?? NONE).flatMap((binding) => {
        if (binding.flow?.connection !== connection) return binding;
        if (isBrowser(binding)) {
          changes.push(removed(binding, 'unreachable'));
          return [];
        }
        const cut = cutOff(binding);
        changes.push({ kind: 'stored', binding: cut });
        return cut;
      });
      this.#keep(aor, bindings);
    }
    this.#aorsOf.delete(connection);
    return changes;
  }

  /**
   * Takes stored rows at start. Flows over UDP hold; connection numbers of another process do not, a new
   * connection could bear the same. Rows that ran out meanwhile go with the next `expire`; those of browsers, whose
   * connections ended with the process, are the changes to store.
   */
  restore(rows: Iterable<Binding>): Change[] {
    const [browsers, phones] = parted([...rows], isBrowser);
    for (const [aor, bindings] of Map.groupBy(newestFirst(phones), (row) => row.aor)) {
      this.#keep(
        aor,
        bindings.map((binding) => (binding.flow?.reliable === true ? cutOff(binding) : binding)),
      );
    }
    return browsers.map((binding) => removed(binding, 'unreachable'));
  }

  #live(aor: string, nowMs: number): readonly Binding[] {
    const all = this.#byAor.get(aor) ?? NONE;
    return all.every(({ expiresAtMs }) => expiresAtMs > nowMs)
      ? all
      : all.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  }

  #tooBrief({ expires }: WantedContact): boolean {
    return expires !== undefined && expires > 0 && expires < this.#settings.minExpires;
  }

  #binding(
    wanted: Registration,
    { contact, before, own, others }: Placing,
    nowMs: number,
  ): Required<Binding> {
    const { aor, callId, cseq, flow, path, userAgent, proven } = wanted;
    const seconds = Math.min(contact.expires ?? this.#settings.expires, this.#settings.maxExpires);
    const { uri, q, outbound } = contact;
    const source = flow.remoteAddress;
    const isTaken = others.some(({ key }) => key === contact.key);
    const key = proven
      ? contact.key
      : (before?.key ?? (isTaken ? keyBeside(contact.key, source) : contact.key));
    const since = own.filter((each) => holderOf(each) === source).map(heldSince);
    return {
      aor,
      key,
      contact: uri,
      q,
      outbound,
      registeredAtMs: nowMs,
      expiresAtMs: nowMs + seconds * 1_000,
      callId,
      cseq,
      flow,
      path,
      userAgent,
      proven,
      source,
      heldSinceMs: Math.min(nowMs, ...since),
    };
  }

  /** Bindings that are still held and no longer live. */
  #expired(aor: string, live: readonly Binding[]): Change[] {
    const all = this.#byAor.get(aor) ?? NONE;
    return all === live
      ? []
      : all.filter((each) => !live.includes(each)).map((each) => removed(each, 'expired'));
  }

  #keep(aor: string, bindings: readonly Binding[]): void {
    let first = Number.POSITIVE_INFINITY;
    for (const { expiresAtMs, flow } of bindings) {
      first = Math.min(first, expiresAtMs);
      if (flow?.reliable !== true) continue;
      const aors = this.#aorsOf.get(flow.connection);
      if (aors === undefined) this.#aorsOf.set(flow.connection, new Set([aor]));
      else aors.add(aor);
    }
    if (bindings.length === 0) this.#byAor.delete(aor);
    else this.#byAor.set(aor, bindings);
    this.#calendar.set(aor, first);
  }
}

const NONE: readonly Binding[] = [];

/** One contact of a REGISTER, with what stands when it comes. */
interface Placing {
  readonly contact: WantedContact;
  /** The binding that it replaces. */
  readonly before: Binding | undefined;
  readonly own: readonly Binding[];
  readonly others: readonly Binding[];
}

const isSame = ({ key }: Binding, contact: WantedContact): boolean =>
  contactKeyOf(key) === contactKeyOf(contact.key);

/** The newest binding of this contact that the sender may change. */
const sameContact = (own: readonly Binding[], contact: WantedContact): Binding | undefined =>
  own.find((binding) => isSame(binding, contact));

const newestFirst = (bindings: readonly Binding[]): Binding[] =>
  bindings.toSorted((a, b) => b.registeredAtMs - a.registeredAtMs);

/** Its connection is closed; its holder is kept. */
const cutOff = (binding: Binding): Binding => ({ ...binding, source: holderOf(binding), flow: null });

function parted<T>(all: readonly T[], first: (one: T) => boolean): [T[], T[]] {
  return [all.filter(first), all.filter((one) => !first(one))];
}

const removed = (binding: Binding, reason: RemovalReason): Change => ({ kind: 'removed', binding, reason });

const unregistering = ({ key, contact, q, outbound }: Binding): WantedContact => ({
  key,
  uri: contact,
  q,
  expires: 0,
  outbound,
});
