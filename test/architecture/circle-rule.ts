import { dirname } from 'node:path/posix';
import { importsOf } from './import-reader.ts';
import type { Source } from './source.ts';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Groups of files that import each other, type imports included; each group in the order of its names. */
export const fileCircles = (sources: readonly Source[]): string[][] =>
  circlesIn(graphOf(sources, (path) => path));

/**
 * Groups of folders that import each other, type imports included. The files that construct a program lie at its root;
 * each of them counts as a folder of its own.
 */
export const folderCircles = (sources: readonly Source[]): string[][] =>
  circlesIn(graphOf(sources, (path) => (path.split('/').length === 2 ? path : dirname(path))));

function graphOf(sources: readonly Source[], nodeOf: (path: string) => string): Graph {
  const known = new Set(sources.map(({ path }) => path));
  const graph = new Map<string, Set<string>>();
  for (const from of sources) {
    const node = nodeOf(from.path);
    const reached = graph.get(node) ?? new Set<string>();
    for (const { kind, target } of importsOf(from)) {
      if (kind === 'ours' && known.has(target) && nodeOf(target) !== node) reached.add(nodeOf(target));
    }
    graph.set(node, reached);
  }
  return graph;
}

/** The strongly connected components with more than one node (Tarjan 1972). */
function circlesIn(graph: Graph): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const circles: string[][] = [];

  const enter = (node: string): void => {
    order.set(node, order.size);
    low.set(node, order.size - 1);
    open.push(node);
    isOpen.add(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) enter(next);
      if (isOpen.has(next)) low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0));
    }
    if (low.get(node) !== order.get(node)) return;
    const circle = open.splice(open.indexOf(node));
    for (const each of circle) isOpen.delete(each);
    if (circle.length > 1) circles.push(circle.sort());
  };

  for (const node of graph.keys()) if (!order.has(node)) enter(node);
  return circles.sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
}
