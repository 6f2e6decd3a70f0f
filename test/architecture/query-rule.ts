import { type Finding, finding, isNode, type Node, nameOf, programOf, type Source, walk } from './source.ts';

/** Exist in the types of the handle and on SQLite, not on PostgreSQL; `transaction` does not roll back async work. */
const ONE_DIALECT_ONLY = new Set(['all', 'get', 'run', 'transaction']);
/** Name of the one handle type (`cloud/store/sql/connection.ts`), and the names under which it travels. */
const HANDLE_TYPE = 'Handle';
const HANDLE_NAMES = new Set(['db', 'reader']);

/** Drizzle handles live here; in `cloud/io` they are made, from drivers that have these methods. */
const holdsQueries = (path: string): boolean => /^cloud\/(?!io\/|console\/|cli\/)/.test(path);

/**
 * Queries that are built and never run: a drizzle query is lazy and starts when code awaits it, so
 * `db.delete(t);` does nothing, and neither the compiler nor the linter complains.
 */
export function floatingQueries(from: Source): Finding[] {
  if (!holdsQueries(from.path)) return [];
  const handles = handlesOf(from);
  const found: Finding[] = [];
  walk(programOf(from), (node) => {
    for (const thrown of discarded(node)) {
      if (isQuery(thrown, handles))
        found.push(finding(from, thrown.start, 'a query that nobody awaits never runs'));
    }
  });
  return found;
}

/** Calls of methods that one of the two dialects does not have. */
export function oneDialectCalls(from: Source): Finding[] {
  if (!holdsQueries(from.path)) return [];
  const handles = handlesOf(from);
  const found: Finding[] = [];
  walk(programOf(from), (node) => {
    const method = isNode(node.callee) ? nameOf(node.callee.property) : undefined;
    if (node.type === 'CallExpression' && method && ONE_DIALECT_ONLY.has(method) && isQuery(node, handles)) {
      found.push(
        finding(from, node.start, `.${method}() does not work on both dialects: await the query itself`),
      );
    }
  });
  return found;
}

/** The expressions whose value a node throws away: whole statements, and what `forEach` is given back. */
function discarded(node: Node): Node[] {
  if (node.type === 'ExpressionStatement') return outcomes(node.expression);
  const callee = isNode(node.callee) ? nameOf(node.callee.property) : undefined;
  if (node.type !== 'CallExpression' || callee !== 'forEach') return [];
  const [callback] = Array.isArray(node.arguments) ? node.arguments : [];
  return isNode(callback) && callback.type === 'ArrowFunctionExpression' ? outcomes(callback.body) : [];
}

/** Expressions that an expression may result in: `a && b`, `a ? b : c` and `void a` are seen through. */
function outcomes(node: unknown): Node[] {
  if (!isNode(node)) return [];
  if (node.type === 'UnaryExpression') return outcomes(node.argument);
  if (node.type === 'LogicalExpression') return outcomes(node.right);
  if (node.type === 'ConditionalExpression')
    return [...outcomes(node.consequent), ...outcomes(node.alternate)];
  if (node.type === 'ParenthesizedExpression' || node.type === 'ChainExpression')
    return outcomes(node.expression);
  return [node];
}

/** Whether a chain of calls begins at a handle: `tx.db.insert(t).values(row)`. */
function isQuery(node: Node, handles: ReadonlySet<string>): boolean {
  let at: unknown = node.type === 'CallExpression' ? node.callee : undefined;
  while (isNode(at)) {
    const name = nameOf(at) ?? nameOf(at.property);
    if (name !== undefined && handles.has(name) && at !== node.callee) return true;
    at = at.type === 'CallExpression' ? at.callee : at.object;
  }
  return false;
}

/** The usual names, and every name the source annotates as a handle. */
function handlesOf(from: Source): Set<string> {
  const names = new Set(HANDLE_NAMES);
  walk(programOf(from), (node) => {
    const name = nameOf(node);
    const annotation = isNode(node.typeAnnotation) ? node.typeAnnotation.typeAnnotation : undefined;
    if (name !== undefined && isNode(annotation) && nameOf(annotation.typeName) === HANDLE_TYPE)
      names.add(name);
  });
  return names;
}
