import { dirname } from 'node:path/posix';
import type { Row } from './import/row.ts';
import { IMPORT_TABLE } from './import/table.ts';
import { type Import, importsOf } from './import-reader.ts';
import { type Finding, finding, type Source } from './source.ts';

/** A row together with the folder it was found to speak for, `*` replaced. */
export interface Ruling {
  readonly row: Row;
  readonly folder: string;
}

/** Every import of a source that its row does not allow; a source without a row is a finding too. */
export function forbiddenImports(from: Source): Finding[] {
  const ruling = rulingFor(from.path);
  if (!ruling) return [finding(from, 0, 'stands in a folder the import table does not know')];
  return importsOf(from)
    .filter((wanted) => !allows(ruling, wanted))
    .map((wanted) => finding(from, wanted.position, sentence(ruling, wanted)));
}

/** Folders below a face that are used file by file: the composition joins these drivers one by one. */
const WITHOUT_ENTRY: ReadonlySet<string> = new Set(['appliance/site/host']);

/**
 * Imports that enter a folder around its face: where a folder has an `index.ts`, everybody outside uses that. The face
 * speaks for the folders below it too, as far as they have none of their own. Tests look behind faces on purpose.
 */
export function aroundEntries(sources: readonly Source[]): Finding[] {
  const entries = new Set(sources.filter(({ path }) => path.endsWith('/index.ts')).map(({ path }) => path));
  const guarded = (path: string): string | undefined => {
    for (let folder = dirname(path); folder !== '.' && !WITHOUT_ENTRY.has(folder); folder = dirname(folder))
      if (entries.has(`${folder}/index.ts`)) return folder;
    return undefined;
  };
  return sources
    .filter(({ path }) => !path.startsWith('test/'))
    .flatMap((from) =>
      importsOf(from)
        .filter(({ kind, target }) => kind === 'ours' && !entries.has(target))
        .filter(({ target }) => {
          const folder = guarded(target);
          return folder !== undefined && !holds(folder, from.path);
        })
        .map(({ specifier, position }) => finding(from, position, `enters around the face: ${specifier}`)),
    );
}

/** Folders of the table in their parts. */
const PATTERNS = IMPORT_TABLE.flatMap((row) =>
  row.folders.map((pattern) => ({ row, pattern, wanted: pattern.split('/') })),
);

/** The row with the longest folder that holds the path. */
export function rulingFor(path: string): Ruling | undefined {
  let longest: Ruling | undefined;
  const parts = path.split('/');
  for (const { row, pattern, wanted } of PATTERNS) {
    const folder = matched(wanted, parts);
    if (folder !== undefined && folder.length > (longest?.folder.length ?? 0)) longest = { row, folder };
    // An exact name beats a star of the same length.
    else if (folder !== undefined && folder === longest?.folder && folder === pattern)
      longest = { row, folder };
  }
  return longest;
}

/** The beginning of a path that a pattern covers, else undefined. A `*` never covers the file itself. */
function matched(wanted: readonly string[], parts: readonly string[]): string | undefined {
  const covers = wanted.every((part, i) => (part === '*' ? i < parts.length - 1 : part === parts[i]));
  return covers ? parts.slice(0, wanted.length).join('/') : undefined;
}

function allows({ row, folder }: Ruling, { kind, target, typeOnly }: Import): boolean {
  switch (kind) {
    case 'node':
      return row.edge === true;
    case 'package':
      return (row.packages ?? []).some((allowed) => covers(allowed, target));
    case 'ours':
      if ([folder, ...(row.may ?? [])].some((allowed) => holds(allowed, target))) return true;
      return typeOnly && (row.typesOf ?? []).some((allowed) => holds(allowed, target));
    case 'unknown':
      return row.computed === true;
  }
}

const holds = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`);

const covers = (allowed: string, specifier: string): boolean =>
  allowed === '*' ||
  allowed === specifier ||
  (allowed.endsWith('/*') && specifier.startsWith(allowed.slice(0, -1)));

function sentence({ row, folder }: Ruling, { specifier, kind, typeOnly }: Import): string {
  if (kind === 'unknown') return 'loads a module by a computed name, which nobody can check';
  return `${folder} may not import ${typeOnly ? 'types of ' : ''}${specifier}: ${row.reason}`;
}
