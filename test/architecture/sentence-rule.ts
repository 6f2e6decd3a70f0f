import type { Entry } from './layout-rule.ts';
import { type Finding, finding, isNode, type Node, nameOf, programOf, type Source, walk } from './source.ts';

/**
 * Plain sentences: subject, verb, object, the noun first (CONTRIBUTING.md, "Rules of the code"). A machine cannot
 * judge a sentence, but the oddities that made texts hard to read are few, and it can find those.
 */
const ODDITIES = [
  { pattern: /(?<=^|[.!?]\s+)(?:What|Who|Whoever|Whatever|Of)\b/g, fault: 'begins a sentence' },
  { pattern: /\b(?:nobody|somebody|anew|told|gone|rims?|desks?|books?)\b/gi, fault: 'is not used' },
  { pattern: /\ball the same\b/gi, fault: 'is not used' },
  // "beside the site" is a place and good; "is notified beside" is not.
  { pattern: /\bbeside(?=[.,;:)]|$)/gi, fault: 'is not used as an adverb' },
] as const;

/** Words that titles of tests do not need: they say "detected", "reported", "in progress", "reply path", "listener". */
const TITLE_ODDITIES = [
  ...ODDITIES,
  { pattern: /\b(?:heard|news|tells?|doors?|ways?(?! around))\b/gi, fault: 'is not used' },
] as const;

/** Texts that people read from the programs, by the folders that hold them. */
export const TEXT_AREAS = {
  api: /^(?:cloud\/(?:http|provisioning|tenant|site|monitoring|privacy|feed)|shared\/contract|appliance\/(?:operation|io\/door))\//,
  cli: /^installer\/(?:text|command)\//,
  console: /^cloud\/console\//,
} as const;

/** Calls whose texts are log lines; those have a rule of their own. */
const LOGS = /(?:^|\.|#)(?:log|debug|info|warn)$/;

/** Oddities in the string literals, templates and markup of a source. */
export function oddTexts(from: Source): Finding[] {
  const found: Finding[] = [];
  walk(programOf(from), (node, around) => {
    const text = textOf(from, node);
    if (text === undefined || !/\S\s+\S/.test(text) || isLogged(from, around)) return;
    found.push(...odditiesIn(text).map((fault) => finding(from, node.start, fault)));
  });
  return found;
}

/** Oddities in the titles of the tests of a source. A title continues the one around it, and begins in lower case. */
export function oddTitles(from: Source): Finding[] {
  const found: Finding[] = [];
  walk(programOf(from), (node) => {
    const title = node.type === 'CallExpression' && isTest(node.callee) && [node.arguments].flat()[0];
    const text = isNode(title) ? textOf(from, title) : undefined;
    if (text === undefined) return;
    const begun = text.replace(/^(?:what|who|whoever|whatever|of)\b/, capitalised);
    const faults = odditiesIn(begun, TITLE_ODDITIES);
    found.push(...faults.map((fault) => finding(from, node.start, fault)));
  });
  return found;
}

const TESTS = new Set(['describe', 'it', 'test']);

/** Also `it.each(…)`, whatever is between it and the title. */
function isTest(callee: unknown): boolean {
  if (!isNode(callee)) return false;
  if (callee.type === 'MemberExpression') return isTest(callee.object);
  if (callee.type === 'CallExpression') return isTest(callee.callee);
  return TESTS.has(nameOf(callee) ?? '');
}

/** Oddities in the comments of a source. */
export function oddComments(from: Source): Finding[] {
  return from.tree.comments.flatMap(({ value, start }) =>
    odditiesIn(value.replace(/^\s*\*+\s?/gm, ' ')).map((fault) => finding(from, start, fault)),
  );
}

/** Oddities in the prose of a Markdown file, without code. */
export function oddProse({ path, text }: Entry): Finding[] {
  const prose = text
    .replace(/^```[\s\S]*?^```/gm, (code) => code.replace(/[^\n]/g, ''))
    .replace(/`[^`\n]*`/g, 'x');
  return prose.split(/\n\s*\n/).flatMap((paragraph, index, all) => {
    const line = all.slice(0, index).join('\n\n').split('\n').length + (index === 0 ? 0 : 2);
    return odditiesIn(paragraph).map((fault) => ({ path, line, fault }));
  });
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function odditiesIn(text: string, oddities: typeof ODDITIES | typeof TITLE_ODDITIES = ODDITIES): string[] {
  const flat = text.replace(/\s+/g, ' ').trim();
  return oddities.flatMap(({ pattern, fault }) =>
    [...flat.matchAll(pattern)].map(
      (match) => `"${match[0]}" ${fault}: ${flat.slice(match.index, match.index + 60)}`,
    ),
  );
}

function textOf(from: Source, node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral')
    return from.text.slice(node.start + 1, node.end - 1).replace(/\$\{[^}]*\}/g, 'x');
  return node.type === 'JSXText' ? String(node.value) : undefined;
}

const isLogged = (from: Source, around: readonly Node[]): boolean =>
  around.some(
    ({ type, callee }) =>
      type === 'CallExpression' &&
      isNode(callee) &&
      (LOGS.test(nameOf(callee) ?? '') || LOGS.test(from.text.slice(callee.start, callee.end))),
  );
