import { build } from 'esbuild';
import { ENTRY, type Found, packPlugin } from './pack-plugin.ts';
import { PACKED_ROOT } from './packed/release-file.ts';
import { ABSENT_PACKAGES } from './source/module-place.ts';

/** Programs, each as one CommonJS text. */
export interface Bundles {
  /** The file that Node starts. */
  readonly start: string;
  /** The entry, what it loads on demand, and every thread, by the names of their entry files. */
  readonly programs: ReadonlyMap<string, string>;
  /** The other files that the programs read, from the root. */
  readonly files: readonly string[];
  /** Packages whose work is handed out, as folders from the root. */
  readonly packages: readonly string[];
}

const START = 'installer/build/packed/start.ts';

/** The packages of the web console; it is bundled apart, for browsers. */
const CONSOLE = [
  'react',
  'react-dom',
  'scheduler',
  'react-aria-components',
  'react-aria',
  'react-stately',
  '@internationalized/date',
  '@internationalized/number',
  '@internationalized/string',
  '@tanstack/react-router',
  '@tanstack/router-core',
  '@tanstack/history',
  '@tanstack/react-store',
  '@tanstack/store',
  '@tanstack/react-query',
  '@tanstack/query-core',
  '@lingui/core',
  '@lingui/react',
  '@lingui/message-utils',
  'qrcode-generator',
];

/** Packages that are an addon and nothing else in the binary. */
const ADDON_PACKAGES = ['koffi'];

/** Bundles the entry and every worker thread that it leads to. */
export async function bundle(root: string): Promise<Bundles> {
  const found: Found = { workers: new Set(), parts: new Set(), files: new Set() };
  const inputs = new Set<string>();
  const made = new Map<string, string>();
  let wanted = [START, ENTRY];
  while (wanted.length > 0) {
    for (const [name, text] of await bundled(root, wanted, found, inputs)) made.set(name, text);
    wanted = [...found.parts, ...found.workers].filter((name) => !made.has(name));
  }
  const start = made.get(START);
  if (start === undefined) throw new Error(`esbuild gave no bundle of ${START}`);
  made.delete(START);
  return {
    start,
    programs: made,
    files: [...found.files].toSorted(),
    packages: [
      ...new Set([
        ...[...inputs, ...found.files].flatMap(packageOf),
        ...[...CONSOLE, ...ADDON_PACKAGES].map((name) => `node_modules/${name}`),
      ]),
    ].toSorted(),
  };
}

async function bundled(
  root: string,
  entries: readonly string[],
  found: Found,
  inputs: Set<string>,
): Promise<[string, string][]> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entries],
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'dist',
    outbase: '.',
    outExtension: { '.js': '.ts' },
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    // Names stay: a stack trace from a site must say something. Text beyond Latin-1, which comments are full of, would
    // double the memory of all of it.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 200,
    charset: 'ascii',
    // Packages that stay outside are loaded by `require`: `import()` asks a loader that is not there.
    supported: { 'dynamic-import': false },
    legalComments: 'none',
    logLevel: 'error',
    external: [...ABSENT_PACKAGES],
    define: { 'import.meta.url': JSON.stringify(`file://${PACKED_ROOT}`) },
    plugins: [packPlugin(root, found)],
  });
  for (const input of Object.keys(metafile.inputs)) inputs.add(input);
  const start = `${root}/dist/`;
  return outputFiles.map(({ path, text }) => [path.slice(start.length), text]);
}

/** The folder of the package that an input belongs to, with the folders of packages around it. */
export function packageOf(input: string): string[] {
  const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
  return folder === undefined ? [] : [folder];
}
