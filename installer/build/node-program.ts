import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Cpu } from './cpu.ts';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity: string }>>;
}

/**
 * The Node that becomes the binary, for the CPU wanted, in the version of the lock file. The one of this machine is
 * installed already; npm refuses to install another CPU's, so that is fetched as a package, compared with the lock and
 * kept in `node_modules/.cache`.
 */
export function nodeProgram(root: string, cpu: Cpu): string {
  const name = `node-linux-${cpu}`;
  const { packages }: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const locked = packages[`node_modules/${name}`];
  if (locked === undefined) throw new Error(`package-lock.json does not name ${name}`);
  if (process.versions.node !== locked.version)
    throw new Error(
      `this is Node ${process.versions.node}, the binary becomes ${locked.version}: start it by npm run build`,
    );
  const installed = join(root, 'node_modules', name, 'bin/node');
  return existsSync(installed) ? installed : fetched(root, name, locked);
}

function fetched(root: string, name: string, locked: Lock['packages'][string]): string {
  const cache = join(root, 'node_modules/.cache/carillon', `${name}-${locked.version}`);
  const program = join(cache, 'package/bin/node');
  if (existsSync(program)) return program;
  const folder = `${cache}.part`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync('npm', ['pack', `${name}@${locked.version}`, '--silent', '--pack-destination', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [file] = readdirSync(folder);
  if (file === undefined) throw new Error(`npm gave no ${name}@${locked.version}`);
  const found = `sha512-${createHash('sha512')
    .update(readFileSync(join(folder, file)))
    .digest('base64')}`;
  if (found !== locked.integrity)
    throw new Error(`${file} is not what package-lock.json names: ${found} instead of ${locked.integrity}`);
  execFileSync('tar', ['-xzf', join(folder, file), '-C', folder, 'package/bin/node']);
  rmSync(join(folder, file));
  rmSync(cache, { recursive: true, force: true });
  renameSync(folder, cache);
  return program;
}
