import { type ParseResult, parseSync, visitorKeys } from 'oxc-parser';

/** One text file of the repository; `path` from its root, with forward slashes. The tree is parsed when first asked for. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly tree: ParseResult;
}

/** A node of the syntax tree (ESTree with TypeScript), as loosely typed as a walk needs it. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** The finding of a rule; `line` counts from 1. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly fault: string;
}

/** A source from text, so that a rule can be shown a planted violation. */
export function source(path: string, text: string): Source {
  let tree: ParseResult | undefined;
  return {
    path,
    text,
    get tree() {
      tree ??= parseSync(path, text);
      return tree;
    },
  };
}

export function finding(from: Source, position: number, fault: string): Finding {
  return { path: from.path, line: from.text.slice(0, position).split('\n').length, fault };
}

/** Calls `visit` for every node, outermost first, with the nodes around it, innermost last. */
export function walk(root: Node, visit: (node: Node, around: readonly Node[]) => void): void {
  const around: Node[] = [];
  const enter = (node: Node): void => {
    visit(node, around);
    around.push(node);
    for (const key of visitorKeys[node.type] ?? []) {
      const child = node[key];
      if (Array.isArray(child)) {
        for (const each of child) if (isNode(each)) enter(each);
      } else if (isNode(child)) enter(child);
    }
    around.pop();
  };
  enter(root);
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The program node of a source, for `walk`. */
export function programOf(from: Source): Node {
  return from.tree.program as unknown as Node;
}

/** The name of an identifier node, else undefined. */
export function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' ? String(node.name) : undefined;
}

/** Findings as the lines a failing test should show. */
export const lines = (findings: readonly Finding[]): string[] =>
  findings.map(({ path, line, fault }) => `${path}:${line} ${fault}`);
