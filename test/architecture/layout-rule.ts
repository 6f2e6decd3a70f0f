import type { Finding } from './source.ts';

/** A file as its place and name show it. */
export interface Entry {
  readonly path: string;
  readonly text: string;
}

const PROGRAMS = /^(appliance|cloud|installer|sdk\/(build|js)|shared|test)\//;
const SOURCE = /\.(ts|tsx|mjs|js)$/;

// Sizes

/** A machine with its types; most files are far shorter. */
const WALL = 600;
/** Tables, schemas and migrations are read by searching, not from top to bottom. */
const EXEMPT_FROM_WALL = [/\.codes\.ts$/, /^cloud\/store\/(schema|migrations)\//, /^shared\/contract\//];

export function tooLong({ path, text }: Entry): Finding[] {
  if (!PROGRAMS.test(path) || !SOURCE.test(path) || EXEMPT_FROM_WALL.some((exempt) => exempt.test(path)))
    return [];
  const length = text.trimEnd().split('\n').length;
  return length > WALL
    ? [{ path, line: length, fault: `is longer than ${WALL} lines: split it by role` }]
    : [];
}

// Names

const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** Words that say nothing about the thing. `service`, `handler`, `manager` and `types` stand where the field says so. */
const EMPTY_WORDS = 'util helper common misc base'.split(' ');
/** Trade words that end in s without being plurals, and the plurals the layout itself names. */
const SINGULAR = new Set(
  'tts dns tls js docs access lacs process status campaigns peers vectors migrations examples'.split(' '),
);

/** Vectors are named for what they show, by those who made them. */
const isVector = (path: string): boolean => path.startsWith('test/vectors/');
/** One folder per dialect, numbered files, no code. */
const isMigration = (path: string): boolean => path.startsWith('cloud/store/migrations/');

export function badNames({ path }: Entry): Finding[] {
  if (!PROGRAMS.test(path) || isVector(path)) return [];
  const folders = path.split('/');
  const file = folders.pop() ?? '';
  const faults = [
    ...(file === 'README.md' ? [] : faultsOf(file.split('.').slice(0, -1))),
    ...faultsOf(folders),
    ...folders
      .filter((folder) => isPlural(folder))
      .map((folder) => `the folder ${folder} is not a singular noun`),
  ];
  return faults.map((fault) => ({ path, line: 1, fault }));
}

function faultsOf(names: readonly string[]): string[] {
  return names.flatMap((name) => [
    ...(KEBAB_CASE.test(name) ? [] : [`${name} is not kebab-case`]),
    ...name
      .split('-')
      .filter((word) => isEmpty(word.replace(/s$/, '')) || isEmpty(word))
      .map((word) => `${word} is not a name`),
  ]);
}

const isEmpty = (word: string): boolean => EMPTY_WORDS.includes(word);

const isPlural = (folder: string): boolean => /[^s]s$/.test(folder) && !SINGULAR.has(folder);

// Depth

/** Program, engine, feature, part. A test mirrors its source one deeper. */
const MOST_FOLDERS = 4;

export function tooDeep({ path }: Entry): Finding[] {
  if (!PROGRAMS.test(path) || isVector(path) || isMigration(path)) return [];
  const folders = path
    .replace(/^test\//, '')
    .split('/')
    .slice(0, -1);
  if (folders.length <= MOST_FOLDERS || folders.includes('io')) return [];
  return [{ path, line: 1, fault: `stands ${folders.length} folders deep: ${MOST_FOLDERS} are enough` }];
}

// Breadth

/** A reader takes in a folder of this many files at a glance. */
const MOST_FILES = 20;

/** Folders with more sources than that, each with their number. */
export function tooWide(entries: readonly Entry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of entries) {
    if (!PROGRAMS.test(path) || !SOURCE.test(path) || isVector(path)) continue;
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return new Map([...counts].filter(([, count]) => count > MOST_FILES));
}

/** Folders beyond what they may hold, in words; `left`: those that are wide and may stay so. */
export const tooManyFor = (
  left: Readonly<Record<string, number>>,
  wide: ReadonlyMap<string, number>,
): string[] =>
  [...wide]
    .map(([folder, count]) => ({ folder, count, most: left[folder] ?? MOST_FILES }))
    .filter(({ count, most }) => count > most)
    .map(
      ({ folder, count, most }) =>
        `${folder} holds ${count} sources and may hold ${most}: put the new one into a folder below it, or beside the code that uses it`,
    );

// Faces

/** A folder with an `index.ts` is a boundary: it has a README.md too. Any other folder may have one. */
export function badEntries(entries: readonly Entry[]): Finding[] {
  const paths = new Set(entries.map(({ path }) => path));
  return entries.flatMap(({ path }): Finding[] => {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const file = path.slice(folder.length);
    if (/^index\.(tsx|mjs|js|d\.ts)$/.test(file))
      return [{ path, line: 1, fault: 'a public interface is an index.ts' }];
    if (file === 'index.ts' && !paths.has(`${folder}README.md`))
      return [{ path, line: 1, fault: 'the public interface of a folder without README.md' }];
    return [];
  });
}
