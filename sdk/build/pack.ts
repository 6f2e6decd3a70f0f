import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Compiles the JavaScript SDK and packs it: `npm run sdk [folder]`; without a folder into `dist` of the
 * repository. Nothing is fetched.
 */
const root = join(import.meta.dirname, '..', '..');
const sdk = join(root, 'sdk', 'js');
const [folder = join(root, 'dist')] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
rmSync(join(sdk, 'dist'), { recursive: true, force: true });
execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', sdk], {
  stdio: ['ignore', 'inherit', 'inherit'],
});
const packed = execFileSync('npm', ['pack', '--silent', '--offline', '--pack-destination', resolve(folder)], {
  cwd: sdk,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.stdout.write(`${join(resolve(folder), packed.trim())}\n`);
