import { type Reader, type Revision, scopesAfter } from '../../store/index.ts';

/** So many of the newest revisions of a scope are remembered with their times. */
const REMEMBERED = 100;
const BATCH = 500;

/** A scope with its owner, as `Revision` names it. */
export type ScopeOwner = Pick<Revision, 'scope' | 'owner'>;

interface Committed {
  readonly rev: number;
  readonly atMs: number;
  /** It was there before this program: its begin is unknown. */
  readonly before: boolean;
}

/** The newest revisions and when they were committed, for how far hosts are behind. Times are monotonic ms. */
export class RevisionTable {
  /** By scope and owner, oldest first. */
  readonly #known = new Map<ScopeOwner['scope'], Map<string, readonly Committed[]>>();

  /** Everything the rows say; who lacks what was there before counts as late from now on. */
  async load(from: Reader, nowMs: number): Promise<void> {
    for (let after: ScopeOwner | undefined; ; ) {
      const batch = await scopesAfter(from, after, BATCH);
      for (const revision of batch) this.#put(revision, { rev: revision.rev, atMs: nowMs, before: true });
      after = batch.at(-1);
      if (after === undefined || batch.length < BATCH) return;
    }
  }

  /** Committed just now; of two that come in the wrong order the greater stays. */
  note(revision: Revision, nowMs: number): void {
    this.#put(revision, { rev: revision.rev, atMs: nowMs, before: false });
  }

  /** How many revisions a host at `applied` lacks, and since when; undefined = none. */
  behind(of: ScopeOwner, applied: number): { readonly count: number; readonly sinceMs: number } | undefined {
    const all = this.#of(of);
    const newest = all?.at(-1)?.rev ?? 0;
    const first = newest > applied ? all?.find(({ rev }) => rev > applied) : undefined;
    return first && { count: newest - applied, sinceMs: first.atMs };
  }

  /** When this revision was committed; undefined: before the start, or so many revisions ago. */
  committedMs(of: ScopeOwner, revision: number): number | undefined {
    const found = this.#of(of)?.find(({ rev }) => rev === revision);
    return found?.before === false ? found.atMs : undefined;
  }

  #put(of: ScopeOwner, committed: Committed): void {
    const all = this.#of(of) ?? [];
    if (committed.rev <= (all.at(-1)?.rev ?? 0)) return;
    const owners = this.#known.get(of.scope) ?? new Map<string, readonly Committed[]>();
    // A list that is pushed to has room for sixteen more, and each host has scopes of its own.
    this.#known.set(of.scope, owners.set(of.owner, all.slice(1 - REMEMBERED).concat(committed)));
  }

  #of({ scope, owner }: ScopeOwner): readonly Committed[] | undefined {
    return this.#known.get(scope)?.get(owner);
  }
}
