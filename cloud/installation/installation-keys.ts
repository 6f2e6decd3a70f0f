import type { KeptKey } from '../io/key/index.ts';
import {
  type InstallationKeyRow,
  insertInstallationKeys,
  installationKeyPlace,
  readInstallationKeys,
  replaceInstallationKey,
  type Store,
  type Vault,
} from '../store/index.ts';

/** Purposes of the keys of the installation. None changes its meaning; a key for a new one is made at the next start. */
export const PURPOSES = [
  'authority',
  'bootstrapToken',
  'challenge',
  'installation',
  'promptUrl',
  'signing',
  'webPush',
] as const;
export type Purpose = (typeof PURPOSES)[number];

export interface InstallationKeys {
  readonly of: (purpose: Purpose) => KeptKey;
  /** Keys that this start took from the files of an earlier version, and keys that it made. */
  readonly adopted: readonly Purpose[];
  readonly made: readonly Purpose[];
}

export interface KeyStorage {
  readonly store: Store;
  readonly vault: Vault;
  readonly nowMs: number;
}

/** Where the keys of a database without them come from. */
export interface KeyOrigin {
  /** The text that an earlier version kept in the data folder; undefined = it kept none. */
  readonly kept: (purpose: Purpose) => string | undefined;
  readonly make: (purpose: Purpose) => Promise<string> | string;
}

/**
 * The keys of the installation out of the database. Keys that are not there are adopted from the files of an earlier version,
 * else made, and all of them are inserted in one transaction: of several processes that start at once, one is first, and the
 * others take what it has inserted. Throws a sentence for a key that does not open.
 *
 * Chosen: what is in the database counts, whatever the folder says. A folder that was copied, or put back, changes no key.
 */
export async function openInstallationKeys(room: KeyStorage, origin: KeyOrigin): Promise<InstallationKeys> {
  const { store, vault, nowMs } = room;
  const there = new Set((await readInstallationKeys(store)).map(({ purpose }) => purpose));
  const offered = new Map<string, string>();
  const adopted: Purpose[] = [];
  for (const purpose of PURPOSES.filter((each) => !there.has(each))) {
    const kept = origin.kept(purpose);
    if (kept !== undefined) adopted.push(purpose);
    const text = kept ?? (await origin.make(purpose));
    offered.set(purpose, vault.seal(text, installationKeyPlace(purpose)));
  }
  if (offered.size > 0) {
    const rows = [...offered].map(([purpose, sealed]) => ({ purpose, sealed, at: nowMs }));
    await store.withTx((tx) => insertInstallationKeys(tx, rows));
  }
  const rows = new Map((await readInstallationKeys(store)).map((row) => [row.purpose, row]));
  const isOurs = (purpose: Purpose): boolean => offered.get(purpose) === rows.get(purpose)?.sealed;
  const made = PURPOSES.filter((each) => offered.has(each) && isOurs(each) && !adopted.includes(each));
  const keys = new Map(PURPOSES.map((purpose) => [purpose, keptKey(room, purpose, rows.get(purpose))]));
  return {
    of: (purpose) => {
      const key = keys.get(purpose);
      if (key === undefined) throw new Error(`${purpose} is no purpose of a key`);
      return key;
    },
    adopted: adopted.filter(isOurs),
    made,
  };
}

function keptKey(
  { store, vault }: KeyStorage,
  purpose: Purpose,
  found: InstallationKeyRow | undefined,
): KeptKey {
  const place = installationKeyPlace(purpose);
  let { row, text } = openedRow(vault, purpose, found);
  const reload = async (): Promise<void> => {
    const rows = await readInstallationKeys(store);
    ({ row, text } = openedRow(
      vault,
      purpose,
      rows.find((each) => each.purpose === purpose),
    ));
  };
  return {
    text: () => text,
    reload,
    replace: async (next) => {
      const changed = { ...row, sealed: vault.seal(next, place), at: Date.now() };
      const isReplaced = await store.withTx((tx) => replaceInstallationKey(tx, changed));
      await reload();
      return isReplaced;
    },
  };
}

/** Throws one sentence that names the key and the vault key. */
function openedRow(vault: Vault, purpose: Purpose, row: InstallationKeyRow | undefined) {
  if (row === undefined)
    throw new Error(`The database has lost its key ${purpose}: put the last backup back (carillon restore).`);
  try {
    return { row, text: vault.open(row.sealed, installationKeyPlace(purpose)) };
  } catch {
    throw new Error(
      `The key ${purpose} in the database does not open with the vault key ${vault.keyName}: it was sealed by another one, altered or moved. Give the vault key that sealed it, or put the last backup back.`,
    );
  }
}
