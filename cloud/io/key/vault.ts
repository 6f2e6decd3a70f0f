import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptText } from './private-file.ts';

/** Keeps secrets that stand in the database. */
export interface Vault {
  /** Names the key-encryption key without telling anything about it; stands in every sealed text. */
  readonly keyName: string;
  /** `place` names the cell (`tenant|table|column|rowId`): sealed text moved to another cell does not open. */
  readonly seal: (secret: string, place: string) => string;
  /** Throws when the text was altered, moved, or sealed under another key. */
  readonly open: (sealed: string, place: string) => string;
}

/** Where a key-encryption key may come from beside `<folder>/vault.key`. */
export interface KeySource {
  /** base64url of 32 bytes, as the environment gives it: goes before everything else. */
  readonly given?: string | undefined;
  /** Folder of systemd credentials (`$CREDENTIALS_DIRECTORY`); the file `vault-key` in it goes before the folder's own. */
  readonly credentials?: string | undefined;
}

const VERSION = 'v1';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const DATA_KEYS_KEPT = 10_000;

/**
 * Envelope encryption with AES-256-GCM. The key-encryption key is the deployment's own, or lies in `<folder>/vault.key`
 * (0400), made at first use. Sealed form: `v1:<kek>:<dek>:<iv>:<ct>`: name of the key-encryption key, data key of the
 * tenant wrapped by it, and the text encrypted by the data key, bound to its cell.
 *
 * Chosen: the wrapped data key travels with each value, so there is no table of keys that could be lost apart from them;
 * a process makes one data key per tenant and opens those of the processes before it. Wrapping again after a change of
 * the key-encryption key touches no plain text.
 */
export function openVault(folder: string, source: KeySource = {}): Vault {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const kek = keyEncryptionKey(folder, source);
  const keyName = createHash('sha256').update(kek).digest('hex').slice(0, 8);
  const own = new Map<string, { readonly key: Buffer; readonly wrapped: string }>();
  const opened = new Map<string, Buffer>();

  function ownKey(tenant: string) {
    const known = own.get(tenant);
    if (known !== undefined) return known;
    const key = randomBytes(KEY_BYTES);
    const [iv, text] = encrypt(kek, key, `${tenant}|dek`);
    const made = { key, wrapped: encoded(Buffer.concat([iv, text])) };
    remember(own, tenant, made);
    remember(opened, `${tenant} ${made.wrapped}`, key);
    return made;
  }

  function dataKey(place: string, wrapped: string): Buffer {
    const tenant = tenantOf(place);
    const name = `${tenant} ${wrapped}`;
    const known = opened.get(name);
    if (known !== undefined) return known;
    const bytes = Buffer.from(wrapped, 'base64url');
    const unwrap = (boundTo: string) =>
      decrypt(kek, bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES), `${boundTo}|dek`);
    try {
      const key = unwrap(tenant);
      remember(opened, name, key);
      return key;
    } catch {
      // The first databases have a data key for each value.
      return unwrap(place);
    }
  }

  return {
    keyName,
    seal: (secret, place) => {
      const { key, wrapped } = ownKey(tenantOf(place));
      const [iv, text] = encrypt(key, Buffer.from(secret, 'utf8'), `${place}|${VERSION}`);
      return [VERSION, keyName, wrapped, encoded(iv), encoded(text)].join(':');
    },
    open: (sealed, place) => {
      const [version, kekName, wrapped, iv, text] = sealed.split(':');
      if (version !== VERSION || wrapped === undefined || iv === undefined || text === undefined)
        throw new Error(`sealed text at ${place} has an unknown form`);
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

/** Environment, then systemd credential, then the file. Throws when what was given is no key. */
function keyEncryptionKey(folder: string, { given, credentials }: KeySource): Buffer {
  if (given !== undefined) return keyFrom(given, 'CARILLON_VAULT_KEY');
  const credential = credentials === undefined ? undefined : join(credentials, 'vault-key');
  if (credential !== undefined && existsSync(credential))
    return keyFrom(readFileSync(credential, 'utf8'), credential);
  const file = join(folder, 'vault.key');
  const text = keptText(file, 0o400, () => `${randomBytes(KEY_BYTES).toString('base64url')}\n`);
  return keyFrom(text, file);
}

function keyFrom(text: string, where: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length === KEY_BYTES) return key;
  throw new Error(
    `${where} must hold ${KEY_BYTES} bytes in base64url; make one with: openssl rand -base64 32`,
  );
}

/** Beyond the limit everything is forgotten: it is all made or opened again. */
function remember<T>(kept: Map<string, T>, name: string, value: T): void {
  if (kept.size >= DATA_KEYS_KEPT) kept.clear();
  kept.set(name, value);
}

const tenantOf = (place: string): string => place.split('|', 1)[0] ?? '';

const encoded = (bytes: Buffer): string => bytes.toString('base64url');

function encrypt(key: Buffer, plain: Buffer, place: string): [Buffer, Buffer] {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place, 'utf8'));
  return [iv, Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])];
}

function decrypt(key: Buffer, iv: Buffer, sealed: Buffer, place: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place, 'utf8'));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
}
