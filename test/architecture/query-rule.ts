import { type Finding, finding, isNode, type Node, nameOf, programOf, type Source, walk } from './source.ts';

/** Exist in the types of the handle and on SQLite, not on PostgreSQL; `transaction` does not roll back async work. */
const ONE_DIALECT_ONLY = new Set(['all', 'get', 'run', 'transaction']);
/** Name of the one handle type (`cloud/store/sql/connection.ts`), and the names under which it travels. */
const HANDLE_TYPE = 'Handle';
const HANDLE_NAMES = new Set(['db', 'reader']);
/** Types of what reads rows, a transaction among them. */
const READER_TYPES: ReadonlySet<string> = new Set(['Reader', 'Tx']);
const TOGETHER: ReadonlySet<string> = new Set(['all', 'allSettled', 'race', 'any']);

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

/**
 * Queries that go out together on what may be a transaction: its one connection answers one after the other, and the driver of
 * PostgreSQL takes no second one meanwhile from its next version on.
 */
export function concurrentQueries(from: Source): Finding[] {
  if (!holdsQueries(from.path)) return [];
  const readers = namesOfType(from, READER_TYPES);
  const found: Finding[] = [];
  walk(programOf(from), (node) => {
    if (node.type !== 'CallExpression' || !isNode(node.callee)) return;
    const { object, property } = node.callee;
    if (nameOf(object) !== 'Promise' || !TOGETHER.has(nameOf(property) ?? '')) return;
    const used = new Set<string>();
    // A transaction that the work begins itself is its own.
    const own = new Set<string>();
    for (const each of Array.isArray(node.arguments) ? node.arguments : []) {
      if (!isNode(each)) continue;
      walk(each, (inner, around) => {
        const name = nameOf(inner);
        if (name === undefined || !readers.has(name)) return;
        const parent = around.at(-1);
        const isParameter =
          parent !== undefined && Array.isArray(parent.params) && parent.params.includes(inner);
        (isParameter ? own : used).add(name);
      });
    }
    const isUsed = [...used].some((name) => !own.has(name));
    if (isUsed) found.push(finding(from, node.start, 'queries of one transaction go one after the other'));
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
const handlesOf = (from: Source): Set<string> =>
  new Set([...HANDLE_NAMES, ...namesOfType(from, new Set([HANDLE_TYPE]))]);

/** Every name that the source annotates with one of these types. */
function namesOfType(from: Source, types: ReadonlySet<string>): Set<string> {
  const names = new Set<string>();
  walk(programOf(from), (node) => {
    const name = nameOf(node);
    const annotation = isNode(node.typeAnnotation) ? node.typeAnnotation.typeAnnotation : undefined;
    if (name !== undefined && isNode(annotation) && types.has(nameOf(annotation.typeName) ?? ''))
      names.add(name);
  });
  return names;
}
