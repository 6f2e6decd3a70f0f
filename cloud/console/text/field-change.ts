/** One field that a draft changes; `undefined`: it is not there. */
export interface FieldChange {
  /** JSON pointer (RFC 6901). */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The changes of a resource when its draft is promoted, field by field in order of path. */
export function fieldChanges(before: unknown, after: unknown): FieldChange[] {
  const [was, is] = [leaves(before), leaves(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .sort()
    .filter((path) => JSON.stringify(was.get(path)) !== JSON.stringify(is.get(path)))
    .map((path) => ({ path, before: was.get(path), after: is.get(path) }));
}

/** The fields that an audit entry changed: its states before and after side by side, or all that it says. */
export function detailChanges(detail: unknown): FieldChange[] {
  const { before, after, ...more } = (detail ?? {}) as Readonly<Record<string, unknown>>;
  return before === undefined && after === undefined
    ? fieldChanges(undefined, Object.keys(more).length === 0 ? undefined : more)
    : fieldChanges(before ?? undefined, after ?? undefined);
}

/** Every value that has no members, by its pointer; an empty list or object is a value too. */
function leaves(value: unknown, path = '', found = new Map<string, unknown>()): Map<string, unknown> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (members.length === 0 && value !== undefined) found.set(path, value);
  for (const [name, each] of members)
    leaves(each, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, found);
  return found;
}
