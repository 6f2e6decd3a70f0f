import type { Entry } from './layout-rule.ts';
import { type Finding, isNode, type Node, nameOf, programOf, type Source, walk } from './source.ts';

/**
 * Words that belong to one machine and must not reach another one: folders of a person or a workplace, and the host
 * packages were fetched from. (Written so that the patterns do not match themselves.)
 */
const PLACES = [
  {
    pattern: /(?<![\w.*-])\/(?:work|home\/[a-z]\w*|Users\/[A-Z]\w*)\/(?=\w)/,
    fault: 'a path of one machine',
  },
  { pattern: /\bshared\/spe[c]\b/, fault: 'a path outside the repository' },
  { pattern: /\bregistry\.(?:npmjs|yarnpkg|npmmirror)\b/, fault: 'the host of a package registry' },
];

/** Mentions of places, line by line. */
export function placesIn({ path, text }: Entry): Finding[] {
  return text.split('\n').flatMap((content, index) =>
    PLACES.filter(({ pattern }) => pattern.test(content)).map(({ fault }) => ({
      path,
      line: index + 1,
      fault,
    })),
  );
}

/** Words that a name of the field replaces (docs/glossary.md), each with the words to use. */
const PRIVATE_WORDS: Readonly<Record<string, string>> = {
  news: 'event, progress, body',
  told: 'reported, effects, onOutcome',
  way: 'reply path, next hop, flow, connection',
  heard: 'received, detected, on…',
  gone: 'lost, removed, closed, ended',
  nobody: 'none, no…, un…',
  anew: 'again, new',
  door: 'listener, server',
  desk: 'the noun itself',
  book: 'registry, table, store',
  face: 'index.ts, entry',
  rim: 'adapters',
  wish: 'request, desired state',
};

const FORMS: Readonly<Record<string, string>> = {
  ways: 'way',
  untold: 'told',
  unheard: 'heard',
  doors: 'door',
  desks: 'desk',
  books: 'book',
  faces: 'face',
  wishes: 'wish',
};
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const TYPES = new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration']);
const NAMED = new Set(['FunctionDeclaration', 'ClassDeclaration', ...TYPES]);

export interface PrivateName {
  readonly line: number;
  readonly name: string;
  readonly word: string;
}

/**
 * The declarations of a source whose names contain a private word: types, functions, classes, variables, parameters and
 * members. A member of an interface or type alias has the name of that in front; members of other objects are left out, as
 * their names are given elsewhere.
 */
export function privateNames(from: Source): PrivateName[] {
  const found: PrivateName[] = [];
  const take = (node: unknown): void => {
    for (const { name, start } of bound(node)) {
      const word = privateWord(name);
      if (word !== undefined) found.push({ line: lineAt(from, start), name, word });
    }
  };
  const takeSignature = ({ key, start }: Node, around: readonly Node[]): void => {
    const word = privateWord(nameOf(key) ?? '');
    const owner = nameOf(around.findLast(({ type }) => TYPES.has(type))?.id);
    const name = [owner, nameOf(key)].filter((part) => part !== undefined).join('.');
    if (word !== undefined) found.push({ line: lineAt(from, start), name, word });
  };
  walk(programOf(from), (node, around) => {
    if (NAMED.has(node.type) || node.type === 'VariableDeclarator') take(node.id);
    if (FUNCTIONS.has(node.type) && !isBodiless(around)) for (const one of [node.params].flat()) take(one);
    if (isMember(node)) take(node.key);
    if (isSignature(node)) takeSignature(node, around);
  });
  return found;
}

const lineAt = ({ text }: Source, position: number): number => text.slice(0, position).split('\n').length;

/** The member of an interface or of an object type. */
const isSignature = ({ type }: Node): boolean =>
  type === 'TSPropertySignature' || type === 'TSMethodSignature';

const isMember = ({ type }: Node): boolean => type === 'PropertyDefinition' || type === 'MethodDefinition';

/** A declaration without a body names parameters that only its reader sees. */
const isBodiless = (around: readonly Node[]): boolean => around.at(-1)?.type === 'TSAbstractMethodDefinition';

interface Bound {
  readonly name: string;
  readonly start: number;
}

/** The names that a pattern binds. A shorthand takes the name of a property and is left out. */
function bound(node: unknown): Bound[] {
  if (!isNode(node)) return [];
  switch (node.type) {
    case 'Identifier':
      return [{ name: String(node.name), start: node.start }];
    case 'PrivateIdentifier':
      return [{ name: String(node.name), start: node.start }];
    case 'AssignmentPattern':
      return bound(node.left);
    case 'RestElement':
      return bound(node.argument);
    case 'TSParameterProperty':
      return bound(node.parameter);
    case 'ArrayPattern':
      return [node.elements].flat().flatMap(bound);
    case 'ObjectPattern':
      return [node.properties]
        .flat()
        .flatMap((one) => (isNode(one) && one.shorthand !== true ? bound(one.value ?? one.argument) : []));
    default:
      return [];
  }
}

/** The private word within a name in camel case, else undefined. */
function privateWord(name: string): string | undefined {
  const parts = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_]+/);
  return parts.map((part) => FORMS[part] ?? part).find((part) => part in PRIVATE_WORDS);
}
