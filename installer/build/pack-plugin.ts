import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import type { Plugin } from 'esbuild';
import { parseSync } from 'oxc-parser';
import { PACKED_ROOT } from './packed/release-file.ts';
import { placed } from './source/module-place.ts';

/** The files that the sources ask for besides themselves; filled while esbuild reads them. Names are paths from the root. */
export interface Found {
  /** Programs of worker threads. */
  readonly workers: Set<string>;
  /** Modules that are loaded on demand. */
  readonly parts: Set<string>;
  readonly files: Set<string>;
}

/** The file that loads each program when it is wanted: each becomes a text of its own, so that no program pays for the others. */
export const ENTRY = 'installer/carillon.ts';
/**
 * The files that load programs: the daemon's audio threads begin before the rest of it is loaded; what makes certificates is loaded
 * when one is made, and what knows the parts of a machine when someone asks for them.
 */
const LOADERS = [
  ENTRY,
  'appliance/main.ts',
  'appliance/io/edge/certificate/own-certificate.ts',
  'appliance/io/edge/certificate/signing-request.ts',
  'appliance/io/hardware/hardware.ts',
];

/** Modules of Node that answer from the archive in the binary. */
const REPLACED: Readonly<Record<string, string>> = {
  'node:fs': 'fs.ts',
  'node:fs/promises': 'fs-promises.ts',
  'node:worker_threads': 'worker-threads.ts',
};

/** Mark of a question that this plugin asked itself. */
const ASKED = Symbol('asked');

/**
 * Our sources say in Node's own words what they load beside themselves: `new URL('./x.ts', import.meta.url)`,
 * `import.meta.resolve('package/file')`, `import.meta.dirname`. In a bundle these words get the place that the module
 * had in the checkout, below a folder that no disk has, and the file functions know that folder.
 */
export function packPlugin(root: string, found: Found): Plugin {
  const packed = join(root, 'installer', 'build', 'packed');
  const loaders = LOADERS.map((name) => join(root, name));
  const isOurs = (file: string): boolean =>
    file.startsWith(root + sep) && !file.includes(`${sep}node_modules${sep}`);
  return {
    name: 'carillon-pack',
    setup(build) {
      build.onResolve({ filter: /^node:(fs|fs\/promises|worker_threads)$/ }, ({ path, importer }) => {
        const replacement = REPLACED[path];
        return replacement !== undefined && isOurs(importer) && dirname(importer) !== packed
          ? { path: join(packed, replacement) }
          : undefined;
      });
      build.onResolve({ filter: /^\.\/binding$/ }, ({ importer }) =>
        importer.includes(join('better-sqlite3', 'lib')) ? { path: join(packed, 'addon.ts') } : undefined,
      );
      build.onResolve({ filter: /^koffi$/ }, () => ({ path: join(packed, 'koffi.ts') }));
      build.onResolve({ filter: /^undici$/ }, ({ importer }) =>
        isOurs(importer) ? { path: join(packed, 'undici.ts') } : undefined,
      );
      // Our modules do nothing by being imported. Exports of an `index.ts` that a thread does not use stay out of its program,
      // with the packages behind it.
      build.onResolve({ filter: /^[.#]/ }, async ({ path, pluginData, ...from }) => {
        if (pluginData === ASKED || !isOurs(from.importer)) return undefined;
        const resolved = await build.resolve(path, { ...from, pluginData: ASKED });
        if (from.kind === 'dynamic-import' && loaders.includes(from.importer)) {
          const part = relative(root, resolved.path).replaceAll(sep, '/');
          found.parts.add(part);
          return { path: `${PACKED_ROOT}${part}`, external: true };
        }
        return { ...resolved, sideEffects: false };
      });
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!isOurs(path)) return undefined;
        const name = relative(root, path).replaceAll(sep, '/');
        const text = readFileSync(path, 'utf8');
        const contents = settled(text, name, root, found);
        return { contents: found.workers.has(name) ? awaitable(contents, name) : contents, loader: 'ts' };
      });
    },
  };
}

/**
 * A thread's program with its statements in an asynchronous function, below its imports: CommonJS, which is all that Node
 * runs from a text, does not await outside of one.
 */
export function awaitable(text: string, name: string): string {
  const { program, module } = parseSync(name, text);
  if (module.staticExports.length > 0)
    throw new Error(`${name} runs as a thread and must not export anything`);
  const imports = program.body.filter(({ type }) => type === 'ImportDeclaration');
  const isImport = new Set(imports.map(({ start }) => start));
  const part = ({ start, end }: { start: number; end: number }): string => text.slice(start, end);
  const rest = program.body.filter(({ start }) => !isImport.has(start));
  return [...imports.map(part), 'void (async () => {', ...rest.map(part), '})();'].join('\n');
}

/** The text of a module with every word about its own place replaced by its place in the binary. Throws for a word not known. */
export function settled(text: string, name: string, root: string, found: Found): string {
  const folder = posix.dirname(name);
  const settledText = placed(text, {
    file: (path) => {
      const target = posix.join(folder, path);
      (target.endsWith('.ts') ? found.workers : found.files).add(target);
      return `file://${PACKED_ROOT}${target}`;
    },
    packageFile: (specifier) => {
      const file = createRequire(join(root, name)).resolve(specifier);
      const target = relative(root, file).replaceAll(sep, '/');
      found.files.add(target);
      return `file://${PACKED_ROOT}${target}`;
    },
    dirname: `${PACKED_ROOT}${folder}`,
    filename: `${PACKED_ROOT}${name}`,
    url: `file://${PACKED_ROOT}${name}`,
  });
  const unknown = /import\.meta\.?\w*/.exec(settledText);
  if (unknown !== null) throw new Error(`${name} says ${unknown[0]}, which has no meaning in the binary`);
  return settledText;
}
