import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ENSURE_DEPS = join(import.meta.dirname, '../../../installer/build/ensure-deps.mjs');

/** The entry of one package in a lock file, as far as the script reads it. */
interface LockEntry {
  readonly integrity?: string;
  readonly optional?: boolean;
}
export type LockEntries = Readonly<Record<string, LockEntry>>;

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The arguments of every npm that was started, one line each. */
  readonly npm: readonly string[];
}

/** A folder that looks like a checkout: the script itself, the lock files given, and nothing else. */
export class Checkout {
  readonly folder = mkdtempSync(join(tmpdir(), 'carillon-checkout-'));

  constructor() {
    mkdirSync(join(this.folder, 'installer/build'), { recursive: true });
    copyFileSync(ENSURE_DEPS, join(this.folder, 'installer/build/ensure-deps.mjs'));
    mkdirSync(join(this.folder, 'path'));
  }

  /** Writes what the project wants. */
  wants(packages: LockEntries): this {
    this.write('package-lock.json', JSON.stringify({ packages: { '': { name: 'carillon' }, ...packages } }));
    return this;
  }

  /** Writes what npm says it has installed. */
  holds(packages: LockEntries): this {
    this.write('node_modules/.package-lock.json', JSON.stringify({ packages }));
    return this;
  }

  write(path: string, text: string): void {
    mkdirSync(join(this.folder, path, '..'), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  /** Puts an npm on the PATH that notes its arguments, then does what `script` (shell) says. */
  npmDoes(script: string): this {
    const npm = join(this.folder, 'path/npm');
    writeFileSync(npm, `#!/bin/sh\necho "$*" >> "${this.folder}/npm.log"\n${script}\n`);
    chmodSync(npm, 0o755);
    return this;
  }

  /** Starts the script from another folder than the checkout. `preload` is a module loaded before it. */
  ensureDeps(preload?: string): Outcome {
    const script = join(this.folder, 'installer/build/ensure-deps.mjs');
    const before =
      preload === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(preload)}`];
    const run = spawnSync(process.execPath, [...before, script], {
      cwd: tmpdir(),
      env: { PATH: join(this.folder, 'path') },
      encoding: 'utf8',
    });
    const log = join(this.folder, 'npm.log');
    const npm = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
    return { status: run.status, stdout: run.stdout, stderr: run.stderr, npm };
  }
}
