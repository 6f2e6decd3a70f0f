import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { decrypt, encoded, encrypt, tenantOf, unwrapDataKey, wrapDataKey } from './envelope.ts';
import { KEY_BYTES, type KeySource, keyEncryptionKey, nextKeyFile } from './key-encryption-key.ts';

/** Keeps secrets that stand in the database. */
export interface Vault {
  /** Names the key-encryption key without telling anything about it; stands in every sealed text. */
  readonly keyName: string;
  /** `place` names the cell (`tenant|table|column|rowId`): sealed text moved to another cell does not open. */
  readonly seal: (secret: string, place: string) => string;
  /** Throws when the text was altered, moved, or sealed under another key. */
  readonly open: (sealed: string, place: string) => string;
}

const VERSION = 'v1';
const DATA_KEYS_KEPT = 10_000;

/**
 * Envelope encryption with AES-256-GCM. The key-encryption key is the deployment's own, or lies in `<folder>/vault.key`
 * (0400), made at first use. Sealed form: `v1:<kek>:<dek>:<iv>:<ct>`: name of the key-encryption key, data key of the
 * tenant wrapped by it, and the text encrypted by the data key, bound to its cell. Throws while a rotation is under way:
 * what it would seal, the rotation might pass by. `sealedWith` names the key by which the database is sealed already: another
 * one, or none, is refused, and none is made.
 *
 * Chosen: the wrapped data key travels with each value, so there is no table of keys that could be lost apart from them;
 * a process makes one data key per tenant and opens those of the processes before it. Wrapping again after a change of
 * the key-encryption key touches no plain text.
 */
export function openVault(folder: string, source: KeySource = {}, sealedWith?: string): Vault {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (existsSync(nextKeyFile(folder)))
    throw new Error(
      `A change of the key in ${folder} is under way: run "carillon db rotate-key" again, it goes on where it was.`,
    );
  const { key: kek, name: keyName } = keyEncryptionKey(folder, source, sealedWith);
  const own = new Map<string, { readonly key: Buffer; readonly wrapped: string }>();
  const opened = new Map<string, Buffer>();

  function ownKey(tenant: string) {
    const known = own.get(tenant);
    if (known !== undefined) return known;
    const key = randomBytes(KEY_BYTES);
    const made = { key, wrapped: wrapDataKey(kek, key, tenant) };
    remember(own, tenant, made);
    remember(opened, `${tenant} ${made.wrapped}`, key);
    return made;
  }

  function dataKey(place: string, wrapped: string): Buffer {
    const name = `${tenantOf(place)} ${wrapped}`;
    const known = opened.get(name);
    if (known !== undefined) return known;
    const { key, isTenants } = unwrapDataKey(kek, wrapped, place);
    if (isTenants) remember(opened, name, key);
    return key;
  }

  return {
    keyName,
    seal: (secret, place) => {
      const { key, wrapped } = ownKey(tenantOf(place));
      const [iv, text] = encrypt(key, Buffer.from(secret, 'utf8'), `${place}|${VERSION}`);
      return [VERSION, keyName, wrapped, encoded(iv), encoded(text)].join(':');
    },
    open: (sealed, place) => {
      const { kekName, wrapped, iv, text } = sealedParts(sealed, place);
      if (kekName !== keyName) throw new Error(`sealed text at ${place} belongs to another key, ${kekName}`);
      const key = dataKey(place, wrapped);
      const plain = decrypt(
        key,
        Buffer.from(iv, 'base64url'),
        Buffer.from(text, 'base64url'),
        `${place}|${VERSION}`,
      );
      return plain.toString('utf8');
    },
  };
}

/** Takes a sealed text apart; throws for another form. */
export function sealedParts(sealed: string, place: string) {
  const [version, kekName, wrapped, iv, text] = sealed.split(':');
  const isWhole = kekName !== undefined && wrapped !== undefined && iv !== undefined && text !== undefined;
  if (version !== VERSION || !isWhole) throw new Error(`sealed text at ${place} has an unknown form`);
  return { kekName, wrapped, iv, text };
}

/** The same text with its data key wrapped by another key-encryption key. */
export const withDataKey = (
  { iv, text }: ReturnType<typeof sealedParts>,
  kekName: string,
  wrapped: string,
): string => [VERSION, kekName, wrapped, iv, text].join(':');

/** Beyond the limit everything is forgotten: it is all made or opened again. */
export function remember<T>(kept: Map<string, T>, name: string, value: T): void {
  if (kept.size >= DATA_KEYS_KEPT) kept.clear();
  kept.set(name, value);
}
