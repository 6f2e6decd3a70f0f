import { type Finding, finding, type Node, nameOf, programOf, type Source, walk } from '../source.ts';

const CONSOLE = /^cloud\/console\/.*\.tsx?$/;
const MEMBERS = new Set(['toFixed', 'toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']);

/**
 * Numbers and moments that a page of the console writes by itself: in the language of the browser, or in none. `i18n.number`,
 * `i18n.date` and `component/wording/figure.ts` write them in the language that the person chose.
 */
export function ownFigures(from: Source): Finding[] {
  if (!CONSOLE.test(from.path)) return [];
  const found: Finding[] = [];
  walk(programOf(from), (node) => {
    const written = memberWritten(node);
    if (written !== undefined) found.push(finding(from, node.start, `${written}: i18n.number or i18n.date`));
  });
  return found;
}

function memberWritten(node: Node): string | undefined {
  if (node.type !== 'MemberExpression') return undefined;
  const member = nameOf(node.property) ?? '';
  if (nameOf(node.object) === 'Intl') return `Intl.${member}`;
  return MEMBERS.has(member) ? member : undefined;
}
