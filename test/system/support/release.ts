import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bySize } from '#test/support/vitest/rounds.ts';
import { done } from './program.ts';
import { rootFileSystem } from './root-file-system.ts';

/** Files that the machines get to install. */
export interface Release {
  readonly folder: string;
  readonly version: string;
  readonly binary: string;
  readonly runFile: string;
  readonly debianFile: string;
  /** A key that no build knows: a machine of a test gets it by a setting. */
  readonly publicKey: string;
  readonly secretKey: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    release: Release;
  }
}

const BUILD_WITHIN_MS = 600_000;
const CPU = process.arch === 'arm64' ? 'arm64' : 'x64';
const NEEDED = ['systemd-nspawn', 'debootstrap', 'nsenter', 'minisign', 'dpkg-deb'];

/** Before all tests: the tools are there, the packages are built, and so are the root file systems. */
export default async function setup({ provide }: TestProject): Promise<() => void> {
  if (process.getuid?.() !== 0)
    throw new Error('npm run test:system starts whole machines: run it as root (exit 69)');
  const missing = NEEDED.filter((name) => !onPath(name));
  if (missing.length > 0) {
    throw new Error(
      `missing: ${missing.join(', ')}; apt-get install systemd-container debootstrap minisign dpkg (exit 69)`,
    );
  }
  // Packages that were built already are taken as they are.
  const built = process.env.TEST_RELEASE;
  // The programs under test refuse a setting that they do not know.
  delete process.env.TEST_RELEASE;
  const folder = built ?? join(tmpdir(), `carillon-system-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const [publicKey, secretKey] = [join(folder, 'test.pub'), join(folder, 'test.key')];
  rmSync(publicKey, { force: true });
  for (const made of [secretKey, `${secretKey}.pub`]) rmSync(made, { force: true });
  await done([process.execPath, 'installer/build/release-key.ts', secretKey, '--keys', publicKey]);
  const building = built === undefined ? buildRelease(folder) : undefined;
  await Promise.all([building, rootFileSystem('bookworm'), rootFileSystem('trixie')]);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const debianCpu = CPU === 'x64' ? 'amd64' : 'arm64';
  provide('release', {
    folder,
    version,
    binary: join(folder, `carillon-linux-${CPU}`),
    runFile: join(folder, `carillon-${version}-${CPU}.run`),
    debianFile: join(folder, `carillon_${version}_${debianCpu}.deb`),
    publicKey,
    secretKey,
  });
  return () => {
    if (built === undefined) rmSync(folder, { recursive: true, force: true });
  };
}

/**
 * The packages for this machine's processor, into `folder`. Packing them as small as those that are handed out takes a minute of the
 * processor: `.ci/run --long` does, and judges the size.
 */
export async function buildRelease(folder: string, withinMs = BUILD_WITHIN_MS): Promise<void> {
  const packing = bySize(['--compression', '1'], []);
  await done(['npm', 'run', 'build', '--', '--cpu', CPU, '--out', folder, ...packing], { withinMs });
}

const onPath = (program: string): boolean =>
  ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'].some((folder) =>
    existsSync(join(folder, program)),
  );

/** A file as a release of that version, with its signature beside it. Returns the path. */
export async function signed(
  release: Release,
  from: string,
  name: string,
  words: { readonly version: string; readonly cpu?: string; readonly key?: string },
): Promise<string> {
  const file = join(release.folder, name);
  if (from !== file) copyFileSync(from, file);
  const { version, cpu = process.arch, key = release.secretKey } = words;
  const comment = `version=${version} cpu=${cpu} channel=test`;
  await done(['minisign', '-S', '-s', key, '-m', file, '-t', comment]);
  return file;
}
