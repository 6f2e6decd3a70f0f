import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Cpu } from './cpu.ts';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity: string }>>;
}

/** The Node that becomes the binary, for the CPU wanted, in the version of the lock file: it must be the one that builds. */
export function nodeProgram(root: string, cpu: Cpu): string {
  const name = `node-linux-${cpu}`;
  const { version } = lockedPackage(root, name);
  if (process.versions.node !== version)
    throw new Error(
      `this is Node ${process.versions.node}, the binary becomes ${version}: start it by npm run build`,
    );
  return packageFile(root, name, 'bin/node');
}

/**
 * A file of a package that npm has for each CPU apart. The one of this machine is installed already; npm refuses to install
 * another CPU's, so that is fetched as a package, compared with the lock and kept in `node_modules/.cache`.
 */
export function packageFile(root: string, name: string, file: string): string {
  const installed = join(root, 'node_modules', name, file);
  return existsSync(installed) ? installed : fetched(root, name, file);
}

function lockedPackage(root: string, name: string): Lock['packages'][string] {
  const { packages }: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const locked = packages[`node_modules/${name}`];
  if (locked === undefined) throw new Error(`package-lock.json does not name ${name}`);
  return locked;
}

function fetched(root: string, name: string, file: string): string {
  const { version, integrity } = lockedPackage(root, name);
  const cache = join(root, 'node_modules/.cache/carillon', `${name.replace('/', '-')}-${version}`);
  const wanted = join(cache, 'package', file);
  if (existsSync(wanted)) return wanted;
  const folder = `${cache}.part`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [packed] = readdirSync(folder);
  if (packed === undefined) throw new Error(`npm gave no ${name}@${version}`);
  const found = `sha512-${createHash('sha512')
    .update(readFileSync(join(folder, packed)))
    .digest('base64')}`;
  if (found !== integrity)
    throw new Error(`${packed} is not what package-lock.json names: ${found} instead of ${integrity}`);
  execFileSync('tar', ['-xzf', join(folder, packed), '-C', folder, `package/${file}`]);
  rmSync(join(folder, packed));
  rmSync(cache, { recursive: true, force: true });
  renameSync(folder, cache);
  return wanted;
}
