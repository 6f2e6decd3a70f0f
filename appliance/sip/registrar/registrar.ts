import {
  type Binding,
  type Change,
  DEFAULT_REGISTRAR,
  instanceOf,
  isBrowser,
  type RegistrarSettings,
  type RemovalReason,
} from './binding.ts';
import { ExpiryCalendar } from './expiry-calendar.ts';
import type { Registration, WantedContact } from './registration.ts';

/** What to answer to a REGISTER, and what changed. */
export type Registered =
  | {
      readonly outcome: 'registered';
      /** All contacts there are now. */
      readonly bindings: readonly Binding[];
      readonly changes: readonly Change[];
    }
  /** 423 with Min-Expires, seconds (RFC 3261 10.3 step 7). */
  | { readonly outcome: 'tooBrief'; readonly minExpires: number }
  /** 500: an older request overtaken by a newer one; nothing was changed. */
  | { readonly outcome: 'outOfOrder' };

/** How long a request may be under way: Timer F of the device and of one proxy (RFC 3261 17.1.2.2). */
const OVERTAKING_MS = 64_000;

/**
 * Bindings of addresses-of-record (RFC 3261 10.3), in memory; `changes` keep the durable rows alike.
 *
 *     (none) ──REGISTER, expires > 0──> bound ──refresh: other Call-ID or higher CSeq──> bound
 *                                         └──expires 0, `*`, time, place taken──> (none)
 *
 * A REGISTER is carried out whole or not at all. `nowMs` is wall clock, epoch milliseconds.
 */
export class Registrar {
  readonly #settings: RegistrarSettings;
  /** Per address-of-record, newest first. */
  readonly #byAor = new Map<string, readonly Binding[]>();
  readonly #calendar = new ExpiryCalendar();
  /** Who registered over a connection; may name some who meanwhile use another one. */
  readonly #aorsOf = new Map<number, Set<string>>();

  constructor(settings: Partial<RegistrarSettings> = {}) {
    this.#settings = { ...DEFAULT_REGISTRAR, ...settings };
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
    const contacts = wanted.contacts === '*' ? live.map(unregistering) : wanted.contacts;
    if (contacts.some((contact) => this.#tooBrief(contact))) {
      return { outcome: 'tooBrief', minExpires: this.#settings.minExpires };
    }
    const order = contacts.map((contact) => orderOf(live, contact, wanted, nowMs));
    if (order.includes('overtaken')) return { outcome: 'outOfOrder' };

    const changes = this.#expired(wanted.aor, live);
    let bindings = live;
    for (const [i, contact] of contacts.entries()) {
      if (order[i] === 'repeated') continue;
      const before = bindings.find(({ key }) => key === contact.key);
      const others = bindings.filter((binding) => binding !== before);
      if (contact.expires !== 0) {
        const binding = this.#binding(wanted, contact, nowMs);
        changes.push({ kind: 'stored', binding });
        bindings = [binding, ...others];
      } else if (before !== undefined) {
        changes.push(removed(before, 'unregistered'));
        bindings = others;
      }
    }
    for (const oldest of bindings.slice(this.#settings.maxContacts))
      changes.push(removed(oldest, 'replaced'));
    bindings = bindings.slice(0, this.#settings.maxContacts);
    if (changes.length > 0) this.#keep(wanted.aor, bindings);
    return { outcome: 'registered', bindings, changes };
  }

  /**
   * Live bindings, the one to try first in front: higher q, then newer. Of several flows of one phone (RFC 5626 5.3)
   * only the newest that is open: a fork must not ring it twice.
   */
  lookup(aor: string, nowMs: number): readonly Binding[] {
    const live = this.#live(aor, nowMs);
    return live.length < 2 ? live : onePerPhone(live).toSorted((a, b) => b.q - a.q);
  }

  /** Every live binding, newest first, also those that `lookup` passes over. */
  bindings(aor: string, nowMs: number): readonly Binding[] {
    return this.#live(aor, nowMs);
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
   * A connection is gone: what registered over it keeps its contact, which is all that is left to reach it by.
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
        const cut: Binding = { ...binding, flow: null };
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
    const newestFirst = phones.sort((a, b) => b.registeredAtMs - a.registeredAtMs);
    for (const [aor, bindings] of Map.groupBy(newestFirst, (row) => row.aor)) {
      this.#keep(
        aor,
        bindings.map((binding) => (binding.flow?.reliable === true ? { ...binding, flow: null } : binding)),
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

  #binding(wanted: Registration, contact: WantedContact, nowMs: number): Binding {
    const { aor, callId, cseq, flow, path, userAgent } = wanted;
    const seconds = Math.min(contact.expires ?? this.#settings.expires, this.#settings.maxExpires);
    const { key, uri, q, outbound } = contact;
    const expiresAtMs = nowMs + seconds * 1_000;
    return {
      aor,
      key,
      contact: uri,
      q,
      outbound,
      registeredAtMs: nowMs,
      expiresAtMs,
      callId,
      cseq,
      flow,
      path,
      userAgent,
    };
  }

  /** What is still held and no longer lives. */
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

function onePerPhone(newestFirst: readonly Binding[]): Binding[] {
  const best = new Map<string, Binding>();
  for (const binding of newestFirst) {
    const phone = instanceOf(binding) ?? `uri ${binding.key}`;
    const known = best.get(phone);
    if (known === undefined || (known.flow === null && binding.flow !== null)) best.set(phone, binding);
  }
  return newestFirst.filter((binding) => best.get(instanceOf(binding) ?? `uri ${binding.key}`) === binding);
}

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

/**
 * RFC 3261 10.3 step 7: within one Call-ID only a higher CSeq changes a binding. An equal one is the same
 * request again, whose transaction was forgotten: carried out already.
 * Deviation: a lower CSeq counts as overtaken only while the older request could still be under way. Later it
 * is a device that starts its Call-ID and CSeq anew after losing power, and must not be locked out for an hour.
 */
function orderOf(
  bindings: readonly Binding[],
  contact: WantedContact,
  wanted: Registration,
  nowMs: number,
): 'newer' | 'repeated' | 'overtaken' {
  const before = bindings.find(({ key }) => key === contact.key);
  if (before === undefined || before.callId !== wanted.callId || wanted.cseq > before.cseq) return 'newer';
  // Nothing is under way any more over a connection that is gone: it is a device that came back and counts anew.
  if (before.flow === null || nowMs - before.registeredAtMs > OVERTAKING_MS) return 'newer';
  return wanted.cseq === before.cseq ? 'repeated' : 'overtaken';
}
