import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authorityChain, keysOfInstallation, openSealedDatabase } from '#cloud/installation/index.ts';
import { type Authority, createAuthorityChain, openAuthority } from '#cloud/io/authority/index.ts';
import { createStore } from '#cloud/store/index.ts';

/** Files of the certificate authority as versions before the vault in the database kept them below the data folder. */
const FILES = {
  root: 'root.pem',
  rootKey: 'root.key',
  intermediate: 'intermediate.pem',
  intermediateKey: 'intermediate.key',
} as const;

/**
 * An authority of a folder, made at first use in the layout of those versions: a control plane that starts on the data folder
 * above adopts it, so that a test can know the authority before the start.
 */
export async function openFolderAuthority(folder: string, nowMs: number): Promise<Authority> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = (name: keyof typeof FILES) => join(folder, FILES[name]);
  if (!existsSync(file('intermediate'))) {
    const chain = await createAuthorityChain(nowMs);
    for (const name of Object.keys(FILES) as (keyof typeof FILES)[])
      writeFileSync(file(name), chain[name], { mode: 0o600 });
  }
  const text = (name: keyof typeof FILES) => readFileSync(file(name), 'utf8');
  return await openAuthority({
    root: text('root'),
    intermediate: text('intermediate'),
    intermediateKey: text('intermediateKey'),
  });
}

/**
 * The authority of a control plane on SQLite, which may be running, also in this process: it is read from a copy, since a commit that
 * is open here would wait for us, and we for it.
 */
export async function installedAuthority(data: string): Promise<Authority> {
  const copy = mkdtempSync(join(tmpdir(), 'carillon-authority-'));
  cpSync(data, copy, { recursive: true, filter: (file) => !/\.(lock|sock)(-\w+)?$/.test(file) });
  const port = await openSealedDatabase({
    data: copy,
    database: `sqlite:${join(copy, 'cloud.db')}`,
    vault: {},
  });
  try {
    const keys = await keysOfInstallation(createStore(port), port.vault, copy, Date.now());
    return await openAuthority(authorityChain(keys));
  } finally {
    await port.connection.close();
    rmSync(copy, { recursive: true, force: true });
  }
}
