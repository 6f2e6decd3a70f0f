import { createHash, createPublicKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fingerprintText } from '#shared/contract/site/index.ts';
import { tlsKeyFile } from './host-key.ts';

/** The fingerprint of the key by which this machine is a host, as the console shows it, too; undefined before it has one. */
export function keyFingerprint(folder: string): string | undefined {
  const file = tlsKeyFile(folder);
  if (!existsSync(file)) return undefined;
  const der = createPublicKey(readFileSync(file, 'utf8')).export({ type: 'spki', format: 'der' });
  return fingerprintText(createHash('sha256').update(der).digest('hex'));
}
