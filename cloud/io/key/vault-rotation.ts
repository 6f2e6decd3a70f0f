import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tenantOf, unwrapDataKey, wrapDataKey } from './envelope.ts';
import { type KeySource, keptKey, keyEncryptionKey, nextKeyFile } from './key-encryption-key.ts';
import { syncFolder, writePrivateFile } from './private-file.ts';
import { remember, sealedParts, withDataKey } from './vault.ts';

/** The signing keys in the key folder of an earlier version, and their place for the vault. */
export const SIGNING_FILE = 'signing.key';
export const SIGNING_PLACE = 'platform|file|signing|1';

/** One change of the key-encryption key, from its beginning or from where it was interrupted. */
export interface VaultRotation {
  /** Names of the key in use and of the one that takes its place. */
  readonly before: string;
  readonly after: string;
  /** The sealed text with its data key wrapped by the new key; itself where it is already. Throws for a third key's. */
  readonly rewrapped: (sealed: string, place: string) => string;
  /**
   * Once nothing in the database names the old key: wraps the files again and puts the new key in its place. Gives the
   * file of a key that a person must take to the place that the old one came from.
   */
  readonly finish: () => string | undefined;
  /** Nothing was sealed by the new key: forgets it, unless an earlier call had begun. */
  readonly abandon: () => void;
}

/**
 * The new key is made first and kept beside the old one, `vault.key.next` (0400), until nothing needs the old one: killed
 * at whatever moment, the next call finds both and goes on.
 */
export function beginRotation(folder: string, source: KeySource = {}): VaultRotation {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const old = keyEncryptionKey(folder, source);
  const file = nextKeyFile(folder);
  const isResumed = existsSync(file);
  const next = keptKey(file);
  const known = new Map<string, string>();

  function rewrapped(sealed: string, place: string): string {
    const parts = sealedParts(sealed, place);
    if (parts.kekName === next.name) return sealed;
    if (parts.kekName !== old.name)
      throw new Error(`sealed text at ${place} belongs to a third key, ${parts.kekName}`);
    const tenant = tenantOf(place);
    const name = `${tenant} ${parts.wrapped}`;
    const done = known.get(name);
    if (done !== undefined) return withDataKey(parts, next.name, done);
    const { key, isTenants } = unwrapDataKey(old.key, parts.wrapped, place);
    const wrapped = wrapDataKey(next.key, key, tenant);
    if (isTenants) remember(known, name, wrapped);
    return withDataKey(parts, next.name, wrapped);
  }

  return {
    before: old.name,
    after: next.name,
    rewrapped,
    finish: () => {
      // An earlier version left it; the version before this one may need it.
      const signing = join(folder, SIGNING_FILE);
      if (existsSync(signing)) {
        const sealed = readFileSync(signing, 'utf8').trim();
        writePrivateFile(signing, rewrapped(sealed, SIGNING_PLACE), 0o600);
      }
      const place = old.file ?? join(folder, 'vault.key.new');
      renameSync(file, place);
      syncFolder(folder);
      return old.file === undefined ? place : undefined;
    },
    abandon: () => {
      if (!isResumed) rmSync(file, { force: true });
    },
  };
}
