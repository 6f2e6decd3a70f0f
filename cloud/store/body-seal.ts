import { SECRET_MEMBERS } from '#shared/contract/provisioning/index.ts';
import type { Vault } from './connection.ts';

/** A cell whose body may hold secrets. `table` is the table's name in the database. */
export interface BodyPlace {
  /** Tenant id. */
  readonly tenant: string;
  readonly table: string;
  /** What tells rows of one tenant apart. */
  readonly row: string;
}

/**
 * Stored bodies with every secret in them sealed, one by one: the rest of a body stays readable for whoever looks into
 * the database. Query functions seal what they write and open what they give, so that nobody else has to think of it.
 */
export interface BodySeal {
  /** Names the key; see `sealStored`. */
  readonly keyName: string;
  readonly sealed: <T>(place: BodyPlace, body: T) => T;
  /** Throws when a sealed text does not belong to the place. */
  readonly opened: <T>(place: BodyPlace, body: T) => T;
}

const SEALED = 'v1:';

/**
 * Secrets are known by the name of their member, wherever it stands, and not by its path: what is sealed without need
 * opens again as it was, what is forgotten lies open.
 */
export function bodySeal(vault: Vault): BodySeal {
  const nameOf = ({ tenant, table, row }: BodyPlace): string => `${tenant}|${table}|body|${row}`;
  return {
    keyName: vault.keyName,
    sealed: (place, body) => replaced(body, (value) => vault.seal(JSON.stringify(value), nameOf(place))),
    opened: (place, body) =>
      replaced(body, (value) =>
        typeof value === 'string' && value.startsWith(SEALED)
          ? (JSON.parse(vault.open(value, nameOf(place))) as unknown)
          : value,
      ),
  };
}

const SECRET = new RegExp(`"(?:${[...SECRET_MEMBERS].join('|')})":`);

/** Whether a body, as the text it is stored as, may hold a secret; what is said to hold none can be shown as it stands. */
export const mayHoldSecret = (text: string): boolean => SECRET.test(text);

/** The same body where it holds no secret, else a copy along the way to each. */
function replaced<T>(body: T, replace: (value: unknown) => unknown): T {
  if (typeof body !== 'object' || body === null) return body;
  let copy: Record<string, unknown> | undefined;
  const source = body as Record<string, unknown>;
  for (const name of Object.keys(source)) {
    const value = source[name];
    const holds = SECRET_MEMBERS.has(name) && value !== null && value !== undefined;
    const next = holds ? replace(value) : replaced(value, replace);
    if (next === value) continue;
    copy ??= (Array.isArray(source) ? [...source] : { ...source }) as Record<string, unknown>;
    copy[name] = next;
  }
  return (copy ?? body) as T;
}
