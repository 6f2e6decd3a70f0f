import type { FeedScope } from '#shared/contract/feed/index.ts';

/** A set of hosts whose twins may change. Each notice comes again at any time, and is done once for all that came until then. */
export type SetNotice =
  /** `isOwn`: this replica made the change. */
  | { readonly kind: 'scope'; readonly scope: FeedScope; readonly owner: string; readonly isOwn: boolean }
  /** A host of the tenant may have left. */
  | { readonly kind: 'keys'; readonly tenant: string }
  /** `isEmpty`: the broker has no twin of this shard from here. */
  | { readonly kind: 'shard'; readonly sh: string; readonly isEmpty: boolean };

/** `isOnly`: by this notice alone, for no shard that comes up brings a host that has left. */
interface HostNotice {
  readonly kind: 'host';
  readonly uid: string;
  readonly isOnly: boolean;
}

export type Notice = SetNotice | HostNotice;

/** The next step. `of`: names of the notices that it is done for. */
export type Step = SetNotice | (Mark & HostNotice & { readonly isFirst: boolean });

interface Mark {
  readonly isOnly: boolean;
  readonly of: readonly string[];
}

interface Waiting {
  readonly notice: Notice;
  /** Infinity: until the announcement that has begun ends. */
  readonly dueMs: number;
}

interface Ended {
  readonly costMs: number;
  /** The rest, in costs. */
  readonly times: number;
  readonly restUntilMs: number;
  /** A change has come before the end of the rest. */
  readonly isLoaded: boolean;
}

/** A change is announced within this time together with all of its kind. */
const GATHER_MS = 50;
/**
 * An announcement costs what its scope is large. Behind one, the scope rests for as long as it took; while changes come faster than
 * that, twice as long each time, up to so many times its cost. So a load of many thousand devices leaves the program to those who
 * ask, and a person who makes one change after the other does not wait. `Chosen:` of two announcements the cheaper one counts: one
 * that took longer waited for a database that was away, and a load makes all of them long.
 */
const MOST_REST = 20;
export const LONGEST_REST_MS = 10_000;
/** `Chosen:` a step that fails while others do not is made again so much later, and twice as much each time, up to the longest rest. */
const AGAIN_MS = 1_000;
/** `Chosen:` a scope of so many hosts goes before larger ones: they take half a second. */
const FEW_HOSTS = 100;

/**
 * The order in which the feed announces. Every scope has a rest of its own, and a small scope goes before a large one and before a shard
 * that comes up: a change of a site does not wait for the ten thousand hosts of another tenant. Large work goes on meanwhile, one host
 * behind each of a small scope. Times are epoch ms.
 */
export class AnnouncementQueue {
  readonly #waiting = new Map<string, Waiting>();
  /** Not before this does one that waits become due. */
  #nextMs = Number.POSITIVE_INFINITY;
  readonly #scopes = new Map<string, SetNotice>();
  readonly #shards = new Map<string, SetNotice>();
  readonly #first = new Map<string, Mark>();
  readonly #rest = new Map<string, Mark>();
  /** Announcements that have begun: hosts that are left, and the time of those that are done. */
  readonly #running = new Map<string, { left: number; spentMs: number }>();
  readonly #ended = new Map<string, Ended>();
  /** How often steps have failed in a row, by name. */
  readonly #failures = new Map<string, number>();
  #isLargeNext = false;

  notice(notice: Notice, nowMs: number): void {
    const name = nameOf(notice);
    const before = this.#waiting.get(name);
    // A change may be the cure of what failed.
    const laterMs = this.#failures.has(name) ? nowMs + GATHER_MS : Number.POSITIVE_INFINITY;
    this.#wait(name, {
      notice: together(before?.notice, notice),
      dueMs: Math.min(before?.dueMs ?? this.#dueMs(name, nowMs), laterMs),
    });
  }

  /** The time at which there is a step; Infinity: nothing waits. */
  get nextMs(): number {
    const isThere = [this.#scopes, this.#shards, this.#first, this.#rest].some(({ size }) => size > 0);
    return isThere ? Number.NEGATIVE_INFINITY : this.#nextMs;
  }

  /** Undefined: nothing is due. The step is given until it is done or has failed. */
  next(nowMs: number): Step | undefined {
    // A clock that was set back must not hold anything back.
    if (this.#nextMs <= nowMs || this.#isBeyond(this.#nextMs, nowMs)) this.#collect(nowMs);
    const scope = taken(this.#scopes);
    if (scope !== undefined) return scope[1];
    const isLarge = this.#first.size === 0 || (this.#isLargeNext && this.#rest.size + this.#shards.size > 0);
    this.#isLargeNext = !isLarge;
    const host = taken(isLarge ? this.#rest : this.#first);
    if (host !== undefined) return { kind: 'host', uid: host[0], isFirst: !isLarge, ...host[1] };
    return taken(this.#shards)?.[1];
  }

  /** The step has named these hosts, whose twins are looked at now. */
  spread(step: SetNotice, uids: readonly string[], spentMs: number, nowMs: number): void {
    const name = nameOf(step);
    this.#failures.delete(name);
    this.#running.set(name, { left: uids.length, spentMs });
    const isFirst = step.kind !== 'shard' && uids.length <= FEW_HOSTS;
    for (const uid of uids) this.#mark(uid, { isOnly: false, of: [name] }, isFirst);
    if (uids.length === 0) this.#end(name, spentMs, nowMs);
  }

  /** The twin of the host has been looked at. */
  done(step: Mark & HostNotice, spentMs: number, nowMs: number): void {
    this.#failures.delete(nameOf(step));
    this.#looked(step.of, spentMs, nowMs);
  }

  /**
   * The step failed. `areOthers`: others fail, too, and it is there again at once. One that fails alone waits for a time of its own, and holds up
   * no other. Gives how often it has failed alone in a row.
   */
  failed(step: Step, nowMs: number, areOthers: boolean): number {
    const name = nameOf(step);
    const times = (this.#failures.get(name) ?? 0) + (areOthers ? 0 : 1);
    if (step.kind === 'host' && areOthers) {
      this.#mark(step.uid, step, step.isFirst);
      return times;
    }
    const againMs = nowMs + Math.min(AGAIN_MS * 2 ** (times - 1), LONGEST_REST_MS);
    if (step.kind === 'host') this.#looked(step.of, 0, nowMs);
    else this.#running.delete(name);
    this.#failures.set(name, times);
    const newer = this.#waiting.get(name)?.notice;
    const again: Notice = step.kind === 'host' ? { kind: 'host', uid: step.uid, isOnly: step.isOnly } : step;
    this.#wait(name, { notice: together(newer, again), dueMs: areOthers ? 0 : againMs });
    return times;
  }

  #looked(of: readonly string[], spentMs: number, nowMs: number): void {
    for (const name of of) {
      const running = this.#running.get(name);
      if (running === undefined) continue;
      running.left--;
      running.spentMs += spentMs;
      if (running.left === 0) this.#end(name, running.spentMs, nowMs);
    }
  }

  #wait(name: string, waiting: Waiting): void {
    this.#waiting.set(name, waiting);
    this.#nextMs = Math.min(this.#nextMs, waiting.dueMs);
  }

  #dueMs(name: string, nowMs: number): number {
    if (this.#running.has(name)) return Number.POSITIVE_INFINITY;
    const ended = this.#ended.get(name);
    if (ended === undefined || this.#isBeyond(ended.restUntilMs, nowMs)) return nowMs + GATHER_MS;
    if (nowMs < ended.restUntilMs) this.#ended.set(name, { ...ended, isLoaded: true });
    return Math.max(nowMs + GATHER_MS, ended.restUntilMs);
  }

  /** Farther than any rest: the clock was set back. */
  #isBeyond(dueMs: number, nowMs: number): boolean {
    return Number.isFinite(dueMs) && dueMs > nowMs + LONGEST_REST_MS;
  }

  /** Takes what is due out of what waits. */
  #collect(nowMs: number): void {
    this.#nextMs = Number.POSITIVE_INFINITY;
    for (const [name, { notice, dueMs }] of this.#waiting)
      if (dueMs <= nowMs || this.#isBeyond(dueMs, nowMs)) {
        this.#waiting.delete(name);
        this.#ready(name, notice);
      } else this.#nextMs = Math.min(this.#nextMs, dueMs);
    for (const [name, { restUntilMs }] of this.#ended)
      if (restUntilMs + LONGEST_REST_MS < nowMs || this.#isBeyond(restUntilMs, nowMs))
        this.#ended.delete(name);
  }

  #ready(name: string, notice: Notice): void {
    this.#running.set(name, { left: 1, spentMs: 0 });
    if (notice.kind === 'host') {
      this.#mark(notice.uid, { isOnly: notice.isOnly, of: [name] }, true);
    } else (notice.kind === 'shard' ? this.#shards : this.#scopes).set(name, notice);
  }

  /** One look at a host serves all notices that it is marked for. */
  #mark(uid: string, { isOnly, of }: Mark, isFirst: boolean): void {
    const known = this.#first.get(uid) ?? this.#rest.get(uid);
    const mark = { isOnly: isOnly || known?.isOnly === true, of: known ? [...known.of, ...of] : of };
    if (isFirst || this.#first.has(uid)) {
      this.#rest.delete(uid);
      this.#first.set(uid, mark);
    } else this.#rest.set(uid, mark);
  }

  #end(name: string, costMs: number, nowMs: number): void {
    const before = this.#ended.get(name);
    const waiting = this.#waiting.get(name);
    const isLoaded = before?.isLoaded === true || waiting !== undefined;
    const times = isLoaded ? Math.min(MOST_REST, 2 * (before?.times ?? 1)) : 1;
    const restMs = Math.min(times * Math.min(before?.costMs ?? 0, costMs), LONGEST_REST_MS);
    this.#running.delete(name);
    this.#ended.set(name, { costMs, times, restUntilMs: nowMs + restMs, isLoaded: false });
    if (waiting !== undefined) this.#wait(name, { ...waiting, dueMs: this.#dueMs(name, nowMs) });
  }
}

/** The name of a notice, and of the step that is made for it. */
export function nameOf(notice: Notice): string {
  switch (notice.kind) {
    case 'scope':
      return `${notice.scope} ${notice.owner}`;
    case 'keys':
      return `keys ${notice.tenant}`;
    case 'shard':
      return `shard ${notice.sh}`;
    case 'host':
      return `twin ${notice.uid}`;
  }
}

/** The newer one, with the marks of both. */
function together<N extends Notice>(older: Notice | undefined, newer: N): N {
  if (older === undefined) return newer;
  const marks = Object.entries(older).filter(([, value]) => value === true);
  return { ...newer, ...Object.fromEntries(marks) };
}

/** Takes the oldest entry out. */
function taken<V>(from: Map<string, V>): [string, V] | undefined {
  for (const entry of from) {
    from.delete(entry[0]);
    return entry;
  }
  return undefined;
}
