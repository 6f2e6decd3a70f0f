import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One vector as it stands in its file. */
export type Vector = { readonly id: string } & Readonly<Record<string, unknown>>;

/** Proof of one direction of a vector: it throws where the direction does not hold. */
export type Proof = (vector: never) => void;

/** How the vectors of one group are proven. */
export interface DirectionProofs {
  /** The proof that the bytes decode to the meaning of the vector; or the reason why the group is never decoded. */
  readonly decoded: Proof | string;
  /** The proof that the meaning encodes to the bytes of the vector; or the reason why the group is never encoded. */
  readonly encoded: Proof | string;
  /** Single vectors of one direction only, by id: the direction that is missing, and why. */
  readonly except?: Readonly<Record<string, { readonly lacks: Direction; readonly why: string }>>;
}

export const DIRECTIONS = ['decoded', 'encoded'] as const;
export type Direction = (typeof DIRECTIONS)[number];

const folder = join(import.meta.dirname, '../../../vectors/alarm');

/** Every list of vectors of every file, by its name; what is no list (keys, conventions) is left out. */
export const VECTORS: ReadonlyMap<string, readonly Vector[]> = new Map(
  readdirSync(folder).flatMap((file) =>
    Object.entries(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, unknown>).filter(
      (entry): entry is [string, Vector[]] => Array.isArray(entry[1]),
    ),
  ),
);

/** The proof of a direction of a vector, or the reason why there is none; undefined: the list lacks it. */
export function routeOf(
  routes: Readonly<Record<string, DirectionProofs>>,
  group: string,
  { id }: Vector,
  direction: Direction,
): Proof | string | undefined {
  const own = Object.hasOwn(routes, group) ? routes[group] : undefined;
  const except = own?.except?.[id];
  return except?.lacks === direction ? except.why : own?.[direction];
}

/** The value of what must be good. */
export function value<T>(
  result:
    | { readonly ok: true; readonly value: T }
    | { readonly ok: false; readonly error: { readonly reason: string } },
): T {
  if (!result.ok) throw new Error(result.error.reason);
  return result.value;
}
