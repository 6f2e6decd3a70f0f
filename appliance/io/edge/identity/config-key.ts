import { createDecipheriv, createPrivateKey, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { compactDecrypt } from 'jose';
import { type ConfigKey, configKeySchema, type SealedSecret } from '#shared/contract/feed/index.ts';
import type { OpenKeys } from '../../../replica/index.ts';
import { sealKeyFile } from './host-key.ts';

const TAG_BYTES = 16;

/**
 * Opens with this machine's seal key (X25519). The key is read for each use, so that it lies nowhere but in its file; a
 * machine without one opens nothing.
 */
export const openConfigKeys = (folder: string): OpenKeys => ({
  unwrap: async (jwe) => {
    const file = sealKeyFile(folder);
    if (!existsSync(file)) return undefined;
    try {
      const { plaintext } = await compactDecrypt(jwe, privateKey(readFileSync(file, 'utf8')), {
        keyManagementAlgorithms: ['ECDH-ES'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      return configKeySchema.safeParse(JSON.parse(Buffer.from(plaintext).toString('utf8'))).data;
    } catch {
      return undefined;
    }
  },
  open: openSecret,
});

const privateKey = (jwk: string): KeyObject =>
  createPrivateKey({ key: JSON.parse(jwk) as Record<string, string>, format: 'jwk' });

/** Undefined = altered, moved from another row, or sealed by another key. */
function openSecret({ k }: ConfigKey, { iv, text }: SealedSecret, place: string): string | undefined {
  try {
    const sealed = Buffer.from(text, 'base64url');
    const cipher = createDecipheriv(
      'aes-256-gcm',
      Buffer.from(k, 'base64url'),
      Buffer.from(iv, 'base64url'),
      {
        authTagLength: TAG_BYTES,
      },
    );
    cipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([cipher.update(sealed.subarray(0, -TAG_BYTES)), cipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
