import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, visitorKeys } from 'oxc-parser';
import { REFUSAL_STATUS } from '#cloud/http/index.ts';
import { ERROR_ADVICE, ERROR_PLACES } from './error-advice.ts';
import { code, joined, json, type Page, plain, table } from './page.ts';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Sentences of one code that stand on the page; the others say the same about other things. */
const MOST_SENTENCES = 6;
const CODE = /^[a-z][A-Za-z]+$/;

/** Every code of a failure, with its status, cause and remedy, and the sentences that the programs say with it. */
export function errorPage(root: string): Page {
  const codes = failureSentences(root);
  const rows = [...codes].toSorted(([a], [b]) => a.localeCompare(b));
  return {
    address: 'reference/errors',
    title: 'Errors',
    summary: `The ${rows.length} codes of failures, each with its causes and remedies.`,
    body: joined(
      'An answer that is no success has a status and this body. `reason` is a sentence for a person: it says what failed, why, and what to do. `error.code` is for a program and never changes; `error.path` names the place in the body of the request.',
      json({
        success: false,
        reason:
          'The path /provisioning/devices/care.example does not exist. Look the path up in /openapi.json.',
        error: { code: 'notFound' },
      }),
      'A program repeats a request after 429, 503 and 507, and waits as long as `Retry-After` says. It repeats nothing after another 4xx: the same request fails the same way.',
      table(
        ['Status', 'Codes of the control plane'],
        Object.entries(Object.groupBy(Object.entries(REFUSAL_STATUS), ([, status]) => String(status))).map(
          ([status, all = []]) => [status, all.map(([name]) => code(name)).join(', ')],
        ),
      ),
      'Each code has its cause and its remedy. The sentences below them stand as the programs say them; `…` is a value of the moment.',
      ...Object.entries(ERROR_PLACES).map(([place, title]) => {
        const own = rows.filter(([name]) => ERROR_ADVICE[name]?.[0] === place);
        return joined(`## ${title}`, ...own.map(([name, sentences]) => entry(name, sentences)));
      }),
    ),
  };
}

function entry(name: string, sentences: ReadonlySet<string>): string {
  const [, cause = '', remedy = ''] = ERROR_ADVICE[name] ?? [];
  const status = name in REFUSAL_STATUS ? `Status ${REFUSAL_STATUS[name]}. ` : '';
  return joined(
    `### ${name}`,
    `${status}**Cause:** ${cause} **Remedy:** ${remedy}`,
    [...sentences]
      .slice(0, MOST_SENTENCES)
      .map((each) => `- ${plain(each)}`)
      .join('\n'),
  );
}

/** The reasons of every `fail(code, reason)` and every `{code, reason}` of the programs, by code. */
export function failureSentences(root: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const path of globSync('{appliance,cloud,shared}/**/*.ts', { cwd: root })) {
    const text = readFileSync(join(root, path), 'utf8');
    if (!text.includes('fail(') && !text.includes('code:')) continue;
    for (const [name, sentence] of failuresIn(path, text)) {
      if (!CODE.test(name) || !sentence.includes(' ')) continue;
      found.set(name, (found.get(name) ?? new Set()).add(sentence));
    }
  }
  return found;
}

function failuresIn(path: string, text: string): [string, string][] {
  const failures: [string, string][] = [];
  walk(parseSync(path, text).program as unknown as Node, (node) => {
    if (node.type === 'CallExpression' && (node.callee as { name?: string }).name === 'fail') {
      const [name, reason] = (node.arguments as Node[]).map(sentenceOf);
      if (name !== undefined && reason !== undefined) failures.push([name, reason]);
    }
    if (node.type !== 'ObjectExpression') return;
    const member = (wanted: string): string | undefined => {
      const property = (node.properties as Node[]).find(
        (each) => (each.key as { name?: string } | undefined)?.name === wanted,
      );
      return property === undefined ? undefined : sentenceOf(property.value as Node);
    };
    const [name, reason] = [member('code'), member('reason')];
    if (name !== undefined && reason !== undefined) failures.push([name, reason]);
  });
  return failures;
}

/** The text of a literal; a value inside a template becomes `…`. */
function sentenceOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…');
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const key of visitorKeys[node.type] ?? []) {
    for (const each of [node[key]].flat())
      if (typeof each === 'object' && each !== null) walk(each as Node, visit);
  }
}
