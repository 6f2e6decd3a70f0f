/** The begin of a function call that led into another file. */
export interface Entered {
  readonly path: string;
  /** Files on the stack, where the call went into an adapter from outside it. */
  readonly callers: readonly string[];
  /** It may belong to another input: the thread works for all of them. */
  readonly isShared: boolean;
}

/** Adapters and construction: the ends of a walk. */
const END = /^(?:appliance|cloud)\/(?:io|compose|main\.ts)/;

/**
 * The named files that were not called, or were called first before the file that is named in front of them. In a thread
 * that serves everybody, another one's work may be first: there the next call counts.
 */
export function outOfOrder(named: readonly string[], calls: readonly Entered[]): string[] {
  const faults: string[] = [];
  let at = -1;
  let before = 'the begin';
  for (const file of named) {
    const found = calls.findIndex(({ path, isShared }, index) => path === file && (!isShared || index > at));
    if (found === -1) faults.push(`${file} is not called`);
    else if (found < at) faults.push(`${file} is called before ${before}`);
    at = Math.max(at, found);
    before = file;
  }
  return faults;
}

/**
 * The files passed: those that stand on the stack when a call goes into an adapter, hence all that lie between an input
 * and an effect. Adapters and construction are the ends of the way and do not count, nor does what only calculates.
 */
export function passed(calls: readonly Entered[]): string[] {
  const files = new Set(calls.flatMap(({ callers }) => callers));
  return [...files].filter((file) => !END.test(file)).sort();
}
