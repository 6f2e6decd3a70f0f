import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuthorityChain } from '../io/authority/index.ts';
import { createSiteKey, makeSenderKey, SIGNING_FILE, SIGNING_PLACE, type Vault } from '../io/key/index.ts';
import type { KeyOrigin, Purpose } from './installation-keys.ts';

/** A random text by which something is signed or known, as earlier versions made them too. */
export const randomText = (): string => randomBytes(32).toString('base64url');

/**
 * Keys as an earlier version kept them in the data folder, and new ones. The files stay where they are, for the version before
 * this one: nothing writes or reads them after.
 */
export function folderKeys(
  data: string,
  vault: Vault,
  makeAuthority: () => Promise<AuthorityChain>,
): KeyOrigin {
  const textOf = (...path: string[]): string | undefined => {
    const file = join(data, ...path);
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
  };
  const kept: Readonly<Record<Purpose, () => string | undefined>> = {
    authority: () => authorityOf((name) => textOf('authority', name)),
    bootstrapToken: () => textOf('bootstrap-token'),
    challenge: () => undefined,
    installation: () => textOf('installation'),
    promptUrl: () => textOf('key', 'prompt-url'),
    signing: () => {
      const sealed = textOf('key', SIGNING_FILE);
      return sealed === undefined ? undefined : vault.open(sealed, SIGNING_PLACE);
    },
    webPush: () => undefined,
  };
  return {
    kept: (purpose) => kept[purpose](),
    make: async (purpose) => {
      if (purpose === 'authority') return JSON.stringify(await makeAuthority());
      if (purpose === 'webPush') return makeSenderKey();
      return purpose === 'signing' ? JSON.stringify(createSiteKey()) : randomText();
    },
  };
}

/** A chain is whole once its intermediate is there, which was written last. */
function authorityOf(textOf: (name: string) => string | undefined): string | undefined {
  const [root, intermediate, intermediateKey] = ['root.pem', 'intermediate.pem', 'intermediate.key'].map(
    textOf,
  );
  if (root === undefined || intermediate === undefined || intermediateKey === undefined) return undefined;
  const rootKey = textOf('root.key');
  const chain: AuthorityChain = {
    root,
    intermediate,
    intermediateKey,
    ...(rootKey !== undefined && { rootKey }),
  };
  return JSON.stringify(chain);
}
