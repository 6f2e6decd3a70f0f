/**
 * Runs before every npm script: installs what `package-lock.json` wants and `node_modules` does not hold, and says
 * nothing when there is nothing to do. It is started by whatever Node the system has (20 or later) before any
 * package is there, so: plain JavaScript, no dependency.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The first Node that runs our TypeScript and carries every API the programs use; `engines.node` says the same. */
const OLDEST_NODE = '24.7';
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

if (!isInstalled()) install();
demandNode();

/** npm writes the hidden lock file last, so a cut installation has none. */
function isInstalled() {
  const installed = packagesOf('node_modules/.package-lock.json');
  if (installed === undefined) return false;
  const wanted = packagesOf('package-lock.json') ?? {};
  return Object.entries(wanted).every(([path, entry]) => path === '' || isSame(entry, installed[path]));
}

/** A missing package is right only when it is optional: another CPU's, another system's. */
function isSame(wanted, present) {
  return present === undefined ? wanted.optional === true : present.integrity === wanted.integrity;
}

/** The `packages` of a lock file; undefined when it is absent or damaged. */
function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(join(root, lockFile), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** No dependency needs its install script, and npm 11 warns about each one it would run. */
function install() {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const windows = process.platform === 'win32';
  const npm = spawnSync('npm', ['ci', ...flags], { cwd: root, stdio: 'inherit', shell: windows });
  if (npm.error) leave(`npm could not be started: ${npm.error.message}`, 1);
  if (npm.status !== 0) process.exit(npm.status ?? 1);
}

/** The scripts find `node_modules/.bin/node` first on their PATH; where there is none (macOS) the running Node must do. */
function demandNode() {
  if (existsSync(join(root, 'node_modules', '.bin', 'node'))) return;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  leave(`Carillon needs Node ${OLDEST_NODE} or later, but this is Node ${process.versions.node}.`, 1);
}

function leave(sentence, status) {
  process.stderr.write(`${sentence}\n`);
  process.exit(status);
}
