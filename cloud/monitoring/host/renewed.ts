import type { HostFacts } from '../../store/index.ts';

/** Parts of the facts that belong to one host; the others are shared among hosts and never changed. */
const OWN = ['m', 'kept'] as const;

/**
 * The facts of a host as they are now: the object of before with the new values, where it has the same members. A new object for each
 * heartbeat would live until the next one, long enough to reach the old generation of the heap, where only a full collection frees it.
 */
export function renewed(before: HostFacts, now: HostFacts): HostFacts {
  const own: Record<string, unknown> = { ...now };
  for (const name of OWN) {
    const [old, fresh] = [before[name], now[name]];
    if (old !== undefined && fresh !== undefined) own[name] = into(old, fresh);
  }
  return into(before, own as HostFacts);
}

/** Writes the values into the object when it has the same members; otherwise the new object. */
function into<T extends object>(old: T, fresh: T): T {
  const names = Object.keys(old);
  const isSame =
    names.length === Object.keys(fresh).length && names.every((name) => Object.hasOwn(fresh, name));
  return isSame ? Object.assign(old, fresh) : fresh;
}
