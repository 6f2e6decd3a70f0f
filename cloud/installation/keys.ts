import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AuthorityChain, createAuthorityChain } from '../io/authority/index.ts';
import { writePrivateFile } from '../io/key/index.ts';
import type { Store, Vault } from '../store/index.ts';
import { folderKeys } from './folder-keys.ts';
import { type InstallationKeys, openInstallationKeys } from './installation-keys.ts';

/** The keys of the installation; those that the database does not have are adopted from the folder, else made. */
export const keysOfInstallation = async (
  store: Store,
  vault: Vault,
  data: string,
  nowMs: number,
): Promise<InstallationKeys> =>
  await openInstallationKeys(
    { store, vault, nowMs },
    folderKeys(data, vault, () => createAuthorityChain(nowMs)),
  );

/** The chain of the certificate authority. */
export const authorityChain = (keys: InstallationKeys): AuthorityChain =>
  JSON.parse(keys.of('authority').text()) as AuthorityChain;

/** Copies for people and programs at the machine: the token of the platform's owner, and the root that clients trust. */
export function writeShownFiles(data: string, keys: InstallationKeys): void {
  mkdirSync(join(data, 'authority'), { recursive: true, mode: 0o700 });
  shown(join(data, 'bootstrap-token'), `${keys.of('bootstrapToken').text()}\n`);
  shown(join(data, 'authority', 'root.pem'), `${authorityChain(keys).root.trim()}\n`);
}

function shown(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8').trim() === text.trim()) return;
  writePrivateFile(path, text, 0o600);
}
