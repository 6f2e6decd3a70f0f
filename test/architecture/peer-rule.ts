import type { Entry } from './layout-rule.ts';
import type { Finding } from './source.ts';

/** One line of the table of peers: who, what, which files tell it, and how it ended. */
export interface PeerRow {
  readonly line: number;
  readonly peer: string;
  readonly feature: string;
  /** Names of test files without their ending. */
  readonly tests: readonly string[];
  readonly result: string;
}

/** A scenario that was promised, and the test that tells it: its file from the root, and words of its title. */
export type Proof = readonly [scenario: string, file: string, title: string];

export const PEER_TABLE = 'test/peers/README.md';
const SUITE = '.test.ts';
/** Not a peer: whether the others are installed. */
const NO_PEER = new Set(['programs']);

export function peerRows(text: string): PeerRow[] {
  return text.split('\n').flatMap((row, i): PeerRow[] => {
    const cells = row.startsWith('|') ? row.slice(1, row.lastIndexOf('|')).split(' | ') : [];
    const [peer = '', feature = '', tests = '', result = ''] = cells.map((cell) => cell.trim());
    if (cells.length < 2 || peer === 'Peer') return [];
    return [{ line: i + 1, peer, feature, tests: tests.split(', ').filter((name) => name !== ''), result }];
  });
}

/** A table that names a file that is not there, leaves one out, or tells of a peer without a test or a result. */
export function badPeerTable(table: Entry, entries: readonly Entry[]): Finding[] {
  const files = new Set(
    entries.flatMap(({ path }) => {
      const [, name] = /^test\/peers\/((?!campaign\/)[a-z0-9/-]+)\.test\.ts$/.exec(path) ?? [];
      return name === undefined || NO_PEER.has(name) ? [] : name;
    }),
  );
  const rows = peerRows(table.text);
  const named = new Set(rows.flatMap((row) => row.tests));
  const at = (line: number, fault: string): Finding => ({ path: table.path, line, fault });
  return [
    ...rows.flatMap((row) => [
      ...(row.tests.length === 0 ? [at(row.line, `${row.peer}: no test proves this`)] : []),
      ...(row.result.startsWith('pass') ? [] : [at(row.line, `${row.peer}: has no result`)]),
      ...row.tests
        .filter((name) => !files.has(name))
        .map((name) => at(row.line, `${row.peer}: there is no ${name}${SUITE}`)),
    ]),
    ...[...files].filter((name) => !named.has(name)).map((name) => at(1, `does not name ${name}${SUITE}`)),
  ];
}

/** A scenario whose test was removed or renamed. */
export function unproved(proofs: readonly Proof[], entries: readonly Entry[]): string[] {
  const texts = new Map(entries.map(({ path, text }) => [path, text]));
  return proofs.flatMap(([scenario, file, title]) => {
    const text = texts.get(file);
    if (text === undefined) return [`${scenario}: there is no ${file}`];
    return titles(text).some((each) => each.includes(title))
      ? []
      : [`${scenario}: no test of ${file} says "${title}"`];
  });
}

/** Texts in quotes behind `it(`, `test.each(…)(`, `describe(` and their like. */
function titles(text: string): string[] {
  const call = /\b(?:it|test|describe)(?:\.each)?\s*\(\s*(['"`])(.*?)\1|\)\(\s*(['"`])(.*?)\3\s*,/gs;
  return [...text.matchAll(call)].map((found) => found[2] ?? found[4] ?? '');
}
