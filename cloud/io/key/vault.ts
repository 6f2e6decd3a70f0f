import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { keptText } from './private-file.ts';

/** Keeps secrets that stand in the database. */
export interface Vault {
  /** `place` names the cell (`tenant|table|column|rowId`): sealed text moved to another cell does not open. */
  readonly seal: (secret: string, place: string) => string;
  /** Throws when the text was altered, moved, or sealed under another key. */
  readonly open: (sealed: string, place: string) => string;
}

const VERSION = 'v1';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Envelope encryption with AES-256-GCM. The key-encryption key lies in `<folder>/vault.key` (0400), made at first use.
 * Sealed form: `v1:<kek>:<dek>:<iv>:<ct>`: name of the key-encryption key, data key wrapped by it, and the text
 * encrypted by the data key.
 *
 * Chosen: a fresh data key for each value, so that wrapping again after a change of the key-encryption key touches no
 * plain text and no key protects more than one value.
 */
export function openVault(folder: string): Vault {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const kek = Buffer.from(
    keptText(join(folder, 'vault.key'), 0o400, () => `${randomBytes(KEY_BYTES).toString('base64url')}\n`),
    'base64url',
  );
  const name = createHash('sha256').update(kek).digest('hex').slice(0, 8);
  return {
    seal: (secret, place) => {
      const dek = randomBytes(KEY_BYTES);
      const [iv, text] = encrypt(dek, Buffer.from(secret, 'utf8'), `${place}|${VERSION}`);
      const [wrapIv, wrapped] = encrypt(kek, dek, `${place}|dek`);
      return [VERSION, name, encoded(Buffer.concat([wrapIv, wrapped])), encoded(iv), encoded(text)].join(':');
    },
    open: (sealed, place) => {
      const [version, kekName, dekText, iv, text] = sealed.split(':');
      if (version !== VERSION || dekText === undefined || iv === undefined || text === undefined)
        throw new Error(`sealed text at ${place} has an unknown form`);
      if (kekName !== name) throw new Error(`sealed text at ${place} belongs to another key, ${kekName}`);
      const wrapped = Buffer.from(dekText, 'base64url');
      const dek = decrypt(kek, wrapped.subarray(0, IV_BYTES), wrapped.subarray(IV_BYTES), `${place}|dek`);
      const opened = decrypt(
        dek,
        Buffer.from(iv, 'base64url'),
        Buffer.from(text, 'base64url'),
        `${place}|${VERSION}`,
      );
      return opened.toString('utf8');
    },
  };
}

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
