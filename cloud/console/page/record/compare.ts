import type { Entry } from './record-words.ts';

export interface Difference {
  readonly field: string;
  readonly now: string;
  readonly good: string;
}

/** Fields that always differ or say nothing about a cause. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['recordId', 'at', 'receivedAt', 'traceId', 'sessionId', 'times', 'v', 'masked', 'estimated', 'reason'],
  ...['durationMs', 'speechMs', 'legs', 'recordings', 'streams', 'prompts'],
]);

/** The fields in which two records of one device differ, as paths: `deliveries.lastStatus`. */
export function differences(now: Entry, good: Entry): readonly Difference[] {
  const [left, right] = [flat(now), flat(good)];
  const fields = new Set([...left.keys(), ...right.keys()]);
  return [...fields].flatMap((field) => {
    const [a, b] = [left.get(field) ?? '', right.get(field) ?? ''];
    return a === b ? [] : [{ field, now: a, good: b }];
  });
}

function flat(value: object, path = '', found = new Map<string, string>()): ReadonlyMap<string, string> {
  for (const [name, member] of Object.entries(value)) {
    const field = path === '' ? name : `${path}.${name}`;
    if (LEFT_OUT.has(field)) continue;
    if (typeof member === 'object' && member !== null && !Array.isArray(member)) flat(member, field, found);
    else found.set(field, Array.isArray(member) ? member.join(', ') : String(member));
  }
  return found;
}
