import { fieldChanges } from '../../text/field-change.ts';
import { type Values, valueAt, withValue } from './schema.ts';

/** One field that the person or another one has changed; `undefined`: it is not there. */
export interface Contested {
  /** JSON pointer. */
  readonly path: string;
  readonly before: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Both have changed it, and not to the same: a person has to choose. */
  readonly isConflict: boolean;
}

/** The fields that two people have changed since `before`, in order of path. */
export function contested(before: Values, mine: Values, theirs: Values): Contested[] {
  const own = new Set(fieldChanges(before, mine).map(({ path }) => path));
  const other = new Set(fieldChanges(before, theirs).map(({ path }) => path));
  return [...new Set([...own, ...other])].toSorted().map((path) => {
    const [was, here, there] = [before, mine, theirs].map((values) => valueAt(values, path));
    const isSame = JSON.stringify(here) === JSON.stringify(there);
    return {
      path,
      before: was,
      mine: here,
      theirs: there,
      isConflict: own.has(path) && other.has(path) && !isSame,
    };
  });
}

/**
 * The values to write over theirs: each field that one of the two has changed is taken from that one, and those that both have
 * changed from whom the person has chosen. `chosen`: paths that are to be as the person wrote them.
 */
export function merged(theirs: Values, fields: readonly Contested[], chosen: ReadonlySet<string>): Values {
  return fields.reduce<Values>((values, { path, before, mine, isConflict }) => {
    const isMine = isConflict ? chosen.has(path) : JSON.stringify(before) !== JSON.stringify(mine);
    return isMine ? withValue(values, path, mine) : values;
  }, theirs);
}
