import { rulingFor } from './import-rule.ts';
import { type Finding, finding, isNode, type Node, nameOf, programOf, type Source, walk } from './source.ts';

/** Values that `io` hands to a core as an argument, and why a core may not take them itself. */
export const FORBIDDEN_GLOBALS: Readonly<Record<string, string>> = {
  setTimeout: 'timers are effects',
  setInterval: 'timers are effects',
  setImmediate: 'timers are effects',
  clearTimeout: 'timers are effects',
  clearInterval: 'timers are effects',
  clearImmediate: 'timers are effects',
  performance: 'every input carries its time',
  process: 'configuration is read once, in config.ts',
  console: 'what is to be said is an effect (trace)',
  fetch: 'a core sends nothing',
  WebSocket: 'a core sends nothing',
  crypto: 'random bytes, hashes and signatures arrive as functions',
  globalThis: 'every global above hides behind it',
  global: 'every global above hides behind it',
};

/** The same for single members of a global that is otherwise harmless. */
export const FORBIDDEN_MEMBERS: Readonly<Record<string, string>> = {
  'Date.now': 'every input carries its time',
  'Math.random': 'random bytes arrive as a function',
  'AbortSignal.timeout': 'timers are effects',
};

/** Uses of clocks, timers, randomness, environment and network in a source outside of `io`. */
export function forbiddenGlobals(from: Source): Finding[] {
  if (rulingFor(from.path)?.row.edge) return [];
  const locals = bindingsOf(programOf(from));
  const isLocal = (name: string, at: Node) =>
    locals.some((local) => local.name === name && local.scope.start <= at.start && at.end <= local.scope.end);
  const found: Finding[] = [];
  walk(programOf(from), (node, around) => {
    const use = globalUsed(node, around);
    if (use && !isLocal(use.name, node))
      found.push(finding(from, node.start, `${use.written}: ${use.reason}`));
  });
  return found;
}

interface Use {
  /** The global itself. */
  readonly name: string;
  readonly written: string;
  readonly reason: string;
}

function globalUsed(node: Node, around: readonly Node[]): Use | undefined {
  if (node.type === 'MemberExpression') {
    const name = nameOf(node.object);
    const written = `${name}.${memberName(node)}`;
    const reason = FORBIDDEN_MEMBERS[written];
    return name !== undefined && reason !== undefined ? { name, written, reason } : undefined;
  }
  if (isCurrentDate(node))
    return { name: 'Date', written: 'new Date()', reason: 'every input carries its time' };
  const name = nameOf(node);
  const reason = name === undefined ? undefined : FORBIDDEN_GLOBALS[name];
  if (name === undefined || reason === undefined || !isValue(node, around)) return undefined;
  return { name, written: name, reason };
}

/** `new Date()` and `Date()` read the clock; `new Date(epochMs)` does not. */
function isCurrentDate(node: Node): boolean {
  if (nameOf(node.callee) !== 'Date') return false;
  if (node.type === 'CallExpression') return true;
  return node.type === 'NewExpression' && Array.isArray(node.arguments) && node.arguments.length === 0;
}

function memberName(node: Node): string | undefined {
  if (!node.computed) return nameOf(node.property);
  return isNode(node.property) && node.property.type === 'Literal' ? String(node.property.value) : undefined;
}

/** Whether an identifier is read as a value: neither a member's name, nor a key, nor part of a type. */
function isValue(node: Node, around: readonly Node[]): boolean {
  const parent = around.at(-1);
  if (!parent || around.some(isTypeSyntax)) return false;
  if (parent.type === 'MemberExpression') return parent.object === node || parent.computed === true;
  if (/^(Property|MethodDefinition|PropertyDefinition|AccessorProperty)$/.test(parent.type)) {
    return parent.value === node || parent.computed === true;
  }
  return !/^(ImportSpecifier|LabeledStatement|BreakStatement|ContinueStatement)$/.test(parent.type);
}

const HOLDS_VALUE =
  /^TS(AsExpression|SatisfiesExpression|NonNullExpression|TypeAssertion|InstantiationExpression|ExportAssignment)$/;
const isTypeSyntax = ({ type }: Node): boolean => type.startsWith('TS') && !HOLDS_VALUE.test(type);

interface Binding {
  readonly name: string;
  /** The outermost node in which the name means this binding. */
  readonly scope: Node;
}

/** Every name a source declares itself: parameters, variables, functions, classes, imports, caught errors. */
function bindingsOf(program: Node): Binding[] {
  const found: Binding[] = [];
  walk(program, (node, around) => {
    const scope = around.findLast(({ type }) => /Function|Block|Program|CatchClause/.test(type)) ?? program;
    const declare = (pattern: unknown, where: Node) => {
      for (const name of namesIn(pattern)) found.push({ name, scope: where });
    };
    if (/Function/.test(node.type)) {
      declare(node.params, node);
      declare(node.id, node.type === 'FunctionDeclaration' ? scope : node);
    }
    if (node.type === 'VariableDeclarator' || node.type === 'ClassDeclaration') declare(node.id, scope);
    if (/^Import.*Specifier$/.test(node.type)) declare(node.local, program);
    if (node.type === 'CatchClause') declare(node.param, node);
  });
  return found;
}

/** The names a binding pattern introduces; default values and keys introduce none. */
function namesIn(pattern: unknown): string[] {
  if (Array.isArray(pattern)) return pattern.flatMap(namesIn);
  if (!isNode(pattern)) return [];
  switch (pattern.type) {
    case 'Identifier':
      return [String(pattern.name)];
    case 'ObjectPattern':
      return namesIn(pattern.properties);
    case 'Property':
      return namesIn(pattern.value);
    case 'ArrayPattern':
      return namesIn(pattern.elements);
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'RestElement':
      return namesIn(pattern.argument);
    case 'TSParameterProperty':
      return namesIn(pattern.parameter);
    default:
      return [];
  }
}
