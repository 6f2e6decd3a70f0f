import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSiteKey, openVault } from '#cloud/io/key/index.ts';
import { openFolderAuthority } from './folder-authority.ts';

/** Facts of a control plane that kept its keys as files. */
export interface OldFolder {
  /** PEM of the root. */
  readonly ca: string;
  /** Id of the signing key. */
  readonly kid: string;
  readonly token: string;
}

/** Fills an empty data folder as the first start of those versions did. */
export async function fillOldFolder(data: string): Promise<OldFolder> {
  const keys = join(data, 'key');
  mkdirSync(keys, { recursive: true, mode: 0o700 });
  const vault = openVault(keys);
  const signing = createSiteKey();
  const put = (text: string, ...path: string[]) => writeFileSync(join(data, ...path), text, { mode: 0o600 });
  put(vault.seal(JSON.stringify(signing), 'platform|file|signing|1'), 'key', 'signing.key');
  put('cHJvbXB0LXVybC1vZi10aGUtb2xkLWZvbGRlcg\n', 'key', 'prompt-url');
  put('dG9rZW4tb2YtdGhlLW9sZC1mb2xkZXI\n', 'bootstrap-token');
  put('aW5zdGFsbGF0aW9u\n', 'installation');
  const { ca } = await openFolderAuthority(join(data, 'authority'), Date.now());
  return { ca, kid: signing.kid, token: 'dG9rZW4tb2YtdGhlLW9sZC1mb2xkZXI' };
}
