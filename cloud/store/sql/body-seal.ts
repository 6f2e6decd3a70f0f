import { HASH_SALT, mapSecrets, SECRET_MEMBERS } from '#shared/contract/provisioning/index.ts';
import type { Vault } from './connection.ts';

/** A cell whose body may hold secrets. `table` is the table's name in the database. */
export interface BodyPlace {
  /** Tenant id. */
  readonly tenant: string;
  readonly table: string;
  /** The key of a row within its tenant. */
  readonly row: string;
}

/**
 * Stored bodies with every secret in them sealed, one by one: the rest of a body stays readable for whoever looks into
 * the database. Query functions seal what they write and open what they give, so that no caller has to think of it.
 */
export interface BodySeal {
  /** Names the key; see `sealStored`. */
  readonly keyName: string;
  /** The place as the vault knows it. */
  readonly nameOf: (place: BodyPlace) => string;
  readonly sealed: <T>(place: BodyPlace, body: T) => T;
  /** Throws when a sealed text does not belong to the place. */
  readonly opened: <T>(place: BodyPlace, body: T) => T;
}

/** The secret of a person is no tenant's: people may have roles in several. */
export const secondFactorPlace = (person: string): BodyPlace => ({
  tenant: '',
  table: 'second_factor',
  row: person,
});

/** A browser of a person, for web push. */
export const pushPlace = (tenant: string, id: string): BodyPlace => ({
  tenant,
  table: 'push_subscription',
  row: id,
});

const SEALED = 'v1:';

export const isSealed = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith(SEALED);

/** Seals what `mapSecrets` of the contract finds. */
export function bodySeal(vault: Vault): BodySeal {
  const nameOf = ({ tenant, table, row }: BodyPlace): string => `${tenant}|${table}|body|${row}`;
  return {
    keyName: vault.keyName,
    nameOf,
    sealed: (place, body) => mapSecrets(body, (value) => vault.seal(JSON.stringify(value), nameOf(place))),
    opened: (place, body) =>
      mapSecrets(body, (value) =>
        isSealed(value) ? (JSON.parse(vault.open(value, nameOf(place))) as unknown) : value,
      ),
  };
}

const SECRET = new RegExp(`"(?:${[...SECRET_MEMBERS].join('|')})":`);

/** Whether a body, as the text it is stored as, may hold a secret; what is said to hold none can be shown as it stands. */
export const mayHoldSecret = (text: string): boolean => SECRET.test(text);

/** The body with random text beside its secrets, so that its hash tells nothing of them; itself where it has none. */
export function salted<T>(body: T, random: () => string): T {
  let holds = false;
  mapSecrets(body, (value) => {
    holds = true;
    return value;
  });
  return holds ? { ...body, [HASH_SALT]: random() } : body;
}
