import { posix } from 'node:path';
import { isNode, type Node, nameOf, programOf, type Source, walk } from './source.ts';

/** One dependency of a file on another file, a package or a module of Node. */
export interface Import {
  /** As written. */
  readonly specifier: string;
  /** Where it leads: a path from the root when it is ours, else the specifier. */
  readonly target: string;
  readonly kind: 'ours' | 'package' | 'node' | 'unknown';
  /** Removed by type stripping. */
  readonly typeOnly: boolean;
  readonly position: number;
}

/** Each source is read once for all rules. */
const read = new WeakMap<Source, readonly Import[]>();

/**
 * Everything a file reaches: static, type-only and re-exporting statements, `import()` of a literal, `import('x').T`
 * in types, `require`, and `new URL('x', import.meta.url)`, which is how workers are named. A target that cannot be read from
 * the text (`import(name)`) is `unknown`.
 */
export function importsOf(from: Source): readonly Import[] {
  const known = read.get(from) ?? readImports(from);
  read.set(from, known);
  return known;
}

function readImports(from: Source): Import[] {
  const found: Import[] = [];
  const add = (specifier: string, typeOnly: boolean, position: number) =>
    found.push({ specifier, ...resolve(from.path, specifier), typeOnly, position });

  const { staticImports, staticExports } = from.tree.module;
  for (const { moduleRequest, entries, start } of staticImports) {
    add(moduleRequest.value, entries.length > 0 && entries.every((entry) => entry.isType), start);
  }
  for (const { entries, start } of staticExports) {
    const first = entries[0]?.moduleRequest;
    if (first)
      add(
        first.value,
        entries.every((entry) => entry.isType),
        start,
      );
  }
  walk(programOf(from), (node) => {
    const reached = reachedBy(node);
    if (reached) add(literal(reached.argument), reached.typeOnly, node.start);
  });
  return found;
}

/** The argument that names a module, in every expression and type that loads or locates one. */
function reachedBy(node: Node): { argument: unknown; typeOnly: boolean } | undefined {
  if (node.type === 'ImportExpression') return { argument: node.source, typeOnly: false };
  if (node.type === 'TSImportType') return { argument: node.source, typeOnly: true };
  const [first, second] = Array.isArray(node.arguments) ? node.arguments : [];
  if (node.type === 'CallExpression' && nameOf(node.callee) === 'require')
    return { argument: first, typeOnly: false };
  if (node.type === 'NewExpression' && nameOf(node.callee) === 'URL' && isModuleUrl(second)) {
    return { argument: first, typeOnly: false };
  }
  return undefined;
}

function isModuleUrl(node: unknown): boolean {
  return (
    isNode(node) &&
    node.type === 'MemberExpression' &&
    isNode(node.object) &&
    node.object.type === 'MetaProperty'
  );
}

/** The text of a literal; empty when it is computed. */
function literal(node: unknown): string {
  return isNode(node) && node.type === 'Literal' && typeof node.value === 'string' ? node.value : '';
}

function resolve(path: string, specifier: string): Pick<Import, 'target' | 'kind'> {
  if (specifier === '') return { target: '', kind: 'unknown' };
  if (specifier.startsWith('.')) return { target: posix.join(posix.dirname(path), specifier), kind: 'ours' };
  if (specifier.startsWith('#')) return { target: specifier.slice(1), kind: 'ours' };
  return { target: specifier, kind: specifier.startsWith('node:') ? 'node' : 'package' };
}
