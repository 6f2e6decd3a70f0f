import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptText } from './private-file.ts';

/** Where a key-encryption key may come from beside `<folder>/vault.key`. */
export interface KeySource {
  /** base64url of 32 bytes, as the environment gives it: goes before everything else. */
  readonly given?: string | undefined;
  /** Folder of systemd credentials (`$CREDENTIALS_DIRECTORY`); the file `vault-key` in it goes before the folder's own. */
  readonly credentials?: string | undefined;
}

/** A key-encryption key and where it came from. */
export interface KeyEncryptionKey {
  readonly key: Buffer;
  /** Tells keys apart, and nothing about them; stands in every sealed text. */
  readonly name: string;
  /** Undefined = it is kept outside: the environment, or systemd. */
  readonly file: string | undefined;
}

export const KEY_BYTES = 32;

/** Environment, then systemd credential, then the file, made at first use. Throws when what was given is no key. */
export function keyEncryptionKey(folder: string, { given, credentials }: KeySource): KeyEncryptionKey {
  if (given !== undefined) return keyFrom(given, 'CARILLON_VAULT_KEY', undefined);
  const credential = credentials === undefined ? undefined : join(credentials, 'vault-key');
  if (credential !== undefined && existsSync(credential))
    return keyFrom(readFileSync(credential, 'utf8'), credential, undefined);
  return keptKey(join(folder, 'vault.key'));
}

/** The key that takes the place of the one in use, from the beginning of a rotation to its end. */
export const nextKeyFile = (folder: string): string => join(folder, 'vault.key.next');

/** The key of the file (0400), or the one made now and kept there. */
export const keptKey = (file: string): KeyEncryptionKey =>
  keyFrom(
    keptText(file, 0o400, () => `${randomBytes(KEY_BYTES).toString('base64url')}\n`),
    file,
    file,
  );

function keyFrom(text: string, where: string, file: string | undefined): KeyEncryptionKey {
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length !== KEY_BYTES)
    throw new Error(
      `${where} must hold ${KEY_BYTES} bytes in base64url; make one with: openssl rand -base64 32`,
    );
  return { key, name: createHash('sha256').update(key).digest('hex').slice(0, 8), file };
}
