import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundles } from './bundle.ts';
import type { Cpu } from './cpu.ts';
import { ADDON } from './packed/addon.ts';

/** Files that the programs read by a name they compute, or as a whole folder; what they name is found by the bundler. */
const FOLDERS = [
  'cloud/store/migrations/**/*.sql',
  'cloud/console/dist/**/*',
  'node_modules/swagger-ui-dist/{swagger-ui.css,swagger-ui-bundle.js,favicon-32x32.png}',
  'systemd/**/*',
  'LICENSE',
];

/** Everything that travels behind the executable, by its name in the archive. */
export function releaseContent(root: string, bundles: Bundles, cpu: Cpu): Map<string, Uint8Array> {
  const content = new Map<string, Uint8Array>();
  for (const [name, text] of bundles.programs) content.set(name, Buffer.from(text));
  const listed = FOLDERS.flatMap((pattern) => globSync(pattern, { cwd: root, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  for (const name of [...bundles.files, ...listed]) content.set(name, readFileSync(join(root, name)));
  const addon = join(root, 'node_modules/better-sqlite3/prebuilds', `linux-${cpu}.node`);
  if (!existsSync(addon)) throw new Error(`better-sqlite3 brings nothing for ${cpu}: look at its prebuilds`);
  content.set(ADDON, readFileSync(addon));
  return content;
}
