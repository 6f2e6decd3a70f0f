import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rootCommand } from '../command/root.ts';
import { apiDocuments } from './api-document.ts';
import { finishedSite, refusedInline } from './finish.ts';
import { packSite } from './pack.ts';
import type { Section } from './page.ts';
import { listForPrograms, markdownOf, siteFaults, siteOf } from './site.ts';

/** Builds the documentation site into `docs/site/dist/packed`: `npm run docs`. It does so only when a source has changed. */
const begun = performance.now();
const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'docs', 'site');
const dist = join(folder, 'dist');
const packedFolder = join(dist, 'packed');

const documents = await apiDocuments();
// The commands are described and never run: no program stands behind them.
const sections = siteOf(root, documents, await rootCommand({} as never, {}));
const faults = siteFaults(sections);
if (faults.length > 0) end(faults.join('\n'));
writeContent(sections);
const stamp = stampOf();
if (isBuilt(stamp)) say('the documentation is built already');
else build();
say(`took ${((performance.now() - begun) / 1000).toFixed(1)} s`);

function build(): void {
  ensurePackages();
  run('redocly', 'node_modules/@redocly/cli/bin/cli.js', [
    'lint',
    '--config',
    'redocly.yaml',
    join(dist, 'openapi.json'),
  ]);
  rmSync(join(dist, 'site'), { recursive: true, force: true });
  run('astro', 'node_modules/astro/bin/astro.mjs', ['build', '--root', folder]);
  // Its index takes the place of the one that Starlight makes.
  rmSync(join(dist, 'site', 'pagefind'), { recursive: true, force: true });
  run('pagefind', 'search-index.mjs', []);
  const files = finishedSite(join(dist, 'site'));
  const refused = [...files].flatMap(([name, bytes]) =>
    name.endsWith('.html') ? refusedInline(bytes.toString('utf8')).map((each) => `${name}: ${each}`) : [],
  );
  if (refused.length > 0) end(`the policy of the pages refuses:\n${refused.slice(0, 10).join('\n')}`);
  for (const page of sections.flatMap((section) => section.pages))
    files.set(`${page.address === '' ? 'index' : page.address}.md`, Buffer.from(markdownOf(page)));
  files.set('llms.txt', Buffer.from(listForPrograms(sections)));
  const { files: count, bytes, packedBytes } = packSite(files, packedFolder);
  writeFileSync(join(packedFolder, 'stamp'), stamp);
  say(`${count} files, ${(bytes / 1e6).toFixed(1)} MB, packed to ${(packedBytes / 1e6).toFixed(2)} MB`);
}

/** The pages for Starlight, the navigation, and the document for the linter. */
function writeContent(all: readonly Section[]): void {
  const content = join(dist, 'content');
  rmSync(content, { recursive: true, force: true });
  for (const { address, title, summary, body } of all.flatMap(({ pages }) => pages)) {
    const file = join(content, `${address === '' ? 'index' : address}.md`);
    mkdirSync(dirname(file), { recursive: true });
    const head = ['---', `title: ${JSON.stringify(title)}`, `description: ${JSON.stringify(summary)}`, '---'];
    writeFileSync(file, `${head.join('\n')}\n\n${body.trim()}\n`);
  }
  const navigation = all.map(({ label, pages }) => ({
    label,
    collapsed: label !== 'Start',
    items: pages.map(({ address, title }) => ({ label: title, link: `/${address}` })),
  }));
  writeFileSync(join(dist, 'navigation.json'), JSON.stringify(navigation));
  mkdirSync(join(dist, 'public'), { recursive: true });
  copyFileSync(join(root, 'cloud', 'console', 'bell.svg'), join(dist, 'public', 'bell.svg'));
  writeFileSync(join(dist, 'openapi.json'), JSON.stringify(documents.openApi));
}

/** Everything that the result follows from: the pages, the site's own files, and the code that finishes it. */
function stampOf(): string {
  const hash = createHash('sha256');
  const sources = [
    ...globSync('{content/**/*.md,*.json}', { cwd: dist }).map((name) => join(dist, name)),
    ...globSync('{*.mjs,*.yaml,*.json,src/**/*}', { cwd: folder }).map((name) => join(folder, name)),
    ...['finish.ts', 'pack.ts', 'site.ts', 'write.ts'].map((name) => join(import.meta.dirname, name)),
  ].toSorted();
  for (const file of sources)
    if (/\.\w+$/.test(file)) hash.update(file.slice(root.length)).update(readFileSync(file));
  return hash.digest('hex');
}

function isBuilt(wanted: string): boolean {
  const file = join(packedFolder, 'stamp');
  return existsSync(file) && readFileSync(file, 'utf8') === wanted;
}

/** The packages of the site are its own: the platform needs none of them. None needs its install script. */
function ensurePackages(): void {
  if (existsSync(join(folder, 'node_modules/.package-lock.json')) && isSameLock()) return;
  const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (npm.status !== 0) end('npm ci of docs/site failed: the documentation needs its packages once');
}

/** Every package that the lock wants is there in that version; one of another CPU or system may be absent. */
function isSameLock(): boolean {
  type Lock = { packages: Record<string, { version?: string; optional?: boolean }> };
  const [wanted, present] = ['package-lock.json', 'node_modules/.package-lock.json'].map(
    (name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as Lock).packages,
  );
  return Object.entries(wanted ?? {}).every(
    ([name, { version, optional }]) =>
      name === '' ||
      present?.[name]?.version === version ||
      (optional === true && present?.[name] === undefined),
  );
}

/** Runs a program of the site's packages with this Node; nothing of it talks to anybody. */
function run(name: string, program: string, args: readonly string[]): void {
  const ran = spawnSync(process.execPath, [join(folder, program), ...args], {
    cwd: folder,
    encoding: 'utf8',
    // Nothing else of this environment: builders read words such as DEV, and the same sources are to give the same bytes.
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR },
      ...{ NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1', REDOCLY_TELEMETRY: 'off', CI: '1' },
    },
  });
  if (ran.status !== 0) end(`${name} failed:\n${ran.stdout}${ran.stderr}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function end(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
