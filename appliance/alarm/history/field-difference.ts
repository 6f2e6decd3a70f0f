/** Chosen: a person reads the first ones; a body that differs in more is another body. */
const MOST_FIELDS = 20;

/** Dotted paths of the members that differ between two JSON values, sorted; at most 20. */
export function differingFields(before: unknown, after: unknown, root: string): readonly string[] {
  const found: string[] = [];
  walk(before, after, root, found);
  return found.sort();
}

function walk(before: unknown, after: unknown, path: string, found: string[]): void {
  if (found.length >= MOST_FIELDS || Object.is(before, after)) return;
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after)) {
    found.push(path);
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
    walk(before[name], after[name], `${path}.${name}`, found);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
