import { type Finding, finding, isNode, nameOf, programOf, type Source, walk } from './source.ts';

const SUITES = new Set(['it', 'test', 'describe', 'suite', 'bench', 'context', 'ctx']);
const LEFT_OUT = new Set(['skip', 'skipIf', 'runIf', 'todo', 'only', 'fails']);
const LEFT_OUT_ALONE = new Set(['xit', 'xtest', 'xdescribe', 'fit', 'fdescribe']);

/** Tests that look like passing ones and do not run: `it.skip`, `describe.each(…).todo`, `{ skip: true }`, `only`. */
export function leftOutTests(from: Source): Finding[] {
  if (!from.path.startsWith('test/')) return [];
  const found: Finding[] = [];
  walk(programOf(from), (node) => {
    const member = nameOf(node.property);
    const isModifier = node.type === 'MemberExpression' && member && LEFT_OUT.has(member);
    if (isModifier && SUITES.has(rootOf(node.object)))
      found.push(finding(from, node.start, `leaves a test out: .${member}`));
    if (node.type !== 'CallExpression') return;
    const name = nameOf(node.callee) ?? '';
    if (LEFT_OUT_ALONE.has(name)) found.push(finding(from, node.start, `leaves a test out: ${name}`));
    if (SUITES.has(rootOf(node.callee)) && optionsLeaveOut(node.arguments)) {
      found.push(finding(from, node.start, 'leaves a test out by an option'));
    }
  });
  return found;
}

/** The identifier a chain of members and calls begins with. */
function rootOf(node: unknown): string {
  let at = node;
  while (isNode(at) && at.type !== 'Identifier') at = at.object ?? at.callee ?? at.tag;
  return nameOf(at) ?? '';
}

function optionsLeaveOut(given: unknown): boolean {
  const options = (Array.isArray(given) ? given : []).filter(
    (one) => isNode(one) && one.type === 'ObjectExpression',
  );
  return options
    .flatMap((one) => one.properties)
    .some((property) => isNode(property) && LEFT_OUT.has(nameOf(property.key) ?? ''));
}
