import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Bundles } from './bundle.ts';
import type { Cpu } from './cpu.ts';
import { licences } from './licence.ts';
import { packageFile } from './node-program.ts';
import { ADDONS } from './packed/addon.ts';
import { leanVoice, VOICE } from './voice.ts';

/** Files that the programs read by a name they compute, or as a whole folder; what they name is found by the bundler. */
const READ = [
  'cloud/store/migrations/**/*.sql',
  'node_modules/swagger-ui-dist/{swagger-ui.css,swagger-ui-bundle.js,favicon-32x32.png}',
  'systemd/**/*',
  // The documents that `carillon mcp` searches; the list of decisions is for readers of the sources.
  'docs/!(decisions).md',
  'docs/spec/*.md',
  '{sdk,sdk/js,sdk/python,examples}/README.md',
  'LICENSE',
];

/** Names in the archive and what lies there. */
export type Content = ReadonlyMap<string, Uint8Array>;

/** Everything that travels behind the executable and is the same for every CPU. */
export function releaseContent(root: string, bundles: Bundles): Content {
  const content = new Map<string, Uint8Array>();
  for (const [name, text] of bundles.programs) content.set(name, latin1(name, text));
  for (const name of [...bundles.files, ...matching(root, READ)])
    content.set(name, travelling(name, readFileSync(join(root, name))));
  for (const [name, bytes] of consoleContent(root)) content.set(name, bytes);
  for (const name of DOCUMENTATION) content.set(name, readFileSync(join(root, name)));
  content.set('licences.txt', Buffer.from(licences(root, bundles.packages)));
  return content;
}

/** The documentation site as `npm run docs` has packed it; the programs read it by a computed name. */
const DOCUMENTATION = ['files.json', 'files.zst'].map((name) => `docs/site/dist/packed/${name}`);

const CONSOLE = 'cloud/console/dist';

/** The console as the last build made it. Files of an earlier build stay out: one source, the same bytes. */
function consoleContent(root: string): Content {
  const listed = readFileSync(join(root, CONSOLE, 'files.json'), 'utf8');
  const { files } = JSON.parse(listed) as { files: readonly string[] };
  const list = Buffer.from(JSON.stringify({ files, before: [] }));
  return new Map<string, Uint8Array>([
    ...files.map((name) => [`${CONSOLE}/${name}`, readFileSync(join(root, CONSOLE, name))] as const),
    [`${CONSOLE}/files.json`, list],
  ]);
}

const travelling = (name: string, bytes: Buffer): Buffer => (name === VOICE ? leanVoice(bytes) : bytes);

/** A program in one byte a sign. esbuild writes all other signs as escapes, but for those in regular expressions. */
function latin1(name: string, text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.toString('latin1') !== text)
    throw new Error(
      `${name} holds a sign beyond Latin-1 where esbuild cannot escape it: write \\u in its regular expression`,
    );
  return bytes;
}

/** The same with what belongs to one CPU, and the facts by which a release says what it is. */
export function contentFor(root: string, shared: Content, version: string, cpu: Cpu): Content {
  const addon = join(root, 'node_modules/better-sqlite3/prebuilds', `linux-${cpu}.node`);
  if (!existsSync(addon)) throw new Error(`better-sqlite3 brings nothing for ${cpu}: look at its prebuilds`);
  const facts = { version, cpu, node: process.versions.node, build: buildHash(shared) };
  return new Map<string, Uint8Array>([
    ...shared,
    [ADDONS.sqlite, readFileSync(addon)],
    [ADDONS.koffi, readFileSync(packageFile(root, `@koromix/koffi-linux-${cpu}`, `linux_${cpu}/koffi.node`))],
    ['build.json', Buffer.from(`${JSON.stringify(facts)}\n`)],
  ]);
}

/** Which sources a release was made of: the same for both CPUs, 16 hexadecimal digits. */
export function buildHash(content: Content): string {
  const hash = createHash('sha256');
  for (const [name, bytes] of [...content].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  return hash.digest('hex').slice(0, 16);
}

function matching(root: string, patterns: readonly string[]): string[] {
  return patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted();
}
