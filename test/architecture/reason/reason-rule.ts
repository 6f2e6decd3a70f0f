import { type Finding, finding, isNode, type Node, nameOf, programOf, type Source, walk } from '../source.ts';

/*
 * A reason is a reason: no event, status, alarm, error or log line says only that something failed. An operator who reads
 * "The call failed" knows what he knew before; "no trunk takes +46…" tells him what to do.
 */

/** Sentences that stop where the reason should begin; what stands for a value (`${…}`) counts as one word. */
const BARE =
  /^(?:[\w'…-]+\s+){0,5}(?:failed|went wrong|did not work|errors?|failures?|unsuccessful|not (?:possible|successful)|could not be (?:done|reached|sent))[.!]?$/i;

/** Words that name a thing; they do not say that it has happened. */
const NAMES: Readonly<Record<string, string>> = {
  'transport error': 'an input of the transaction machines (RFC 3261 17)',
  'newCall request failed': 'an error of the media document; errorDetails.reason says why',
  'getIvrCommand request error': 'an error of the media document; errorDetails.reason says why',
  'IVR command failed': 'an error of the media document; errorDetails.reason says why',
  'A file recording failed': 'the description of an event, whose fields have the reason',
};
/** "Cause of the failure" describes a field. */
const IN_A_PHRASE = /\b(?:after|of|with) (?:an? |the )?(?:error|failure)s?$/i;
/** Tables of words that standards give to codes. */
const CODE_TABLE = /\.codes\.ts$/;

/** Sentences of a program that say no more than that something failed. */
export function bareSentences(from: Source): Finding[] {
  if (CODE_TABLE.test(from.path)) return [];
  const found: Finding[] = [];
  walk(programOf(from), (node, around) => {
    const fallback = fallbackOf(node);
    if (fallback !== undefined)
      found.push(finding(from, node.start, `"${fallback}" stands for a missing reason; say what is known`));
    const text = textOf(node);
    if (text === undefined || !/\s/.test(text) || text in NAMES || IN_A_PHRASE.test(text) || !BARE.test(text))
      return;
    // The sentence of a log line has its reason beside it: `unexplainedLogs` looks there.
    if (around.at(-1)?.type === 'CallExpression' && calleeOf(around.at(-1)) === 'log') return;
    found.push(finding(from, node.start, `"${text}" says only that something failed; say why`));
  });
  return found;
}

/** `reason ?? 'failed'`: a code in place of the sentence that is missing. */
function fallbackOf(node: Node): string | undefined {
  if (node.type !== 'LogicalExpression' || !isNode(node.right)) return undefined;
  const left = isNode(node.left) && node.left.type === 'MemberExpression' ? node.left.property : node.left;
  const text = /^(?:cause|error|message|reason|text)$/.test(nameOf(left) ?? '')
    ? textOf(node.right)
    : undefined;
  return text !== undefined && /^(?:error|failed|failure)$/i.test(text) ? text : undefined;
}

/** Messages of the log that tell of a failure. */
const TELLS_FAILURE = /^(?:Could not|Did not|Failed|Refused|Rejected|Gave up|Lost)\b|\b(?:failed|refused)\b/;
/** A clause after a colon is the reason. */
const EXPLAINS = /: \S/;
/** Details that carry one. */
const REASONS = new Set([
  ...[
    'cause',
    'code',
    'err',
    'error',
    'errors',
    'fault',
    'faults',
    'reason',
    'said',
    'signal',
    'status',
    'text',
  ],
  'why',
]);

/** Warnings and errors of the log about a failure, without a detail that says why. */
export function unexplainedLogs(from: Source): Finding[] {
  const found: Finding[] = [];
  walk(programOf(from), (node) => {
    if (node.type !== 'CallExpression' || calleeOf(node) !== 'log') return;
    const [level, , message, details] = (node.arguments as readonly unknown[]).filter(isNode);
    const levels = textsOf(level);
    if (!levels.includes('warn') && !levels.includes('error')) return;
    for (const text of textsOf(message))
      if (TELLS_FAILURE.test(text) && !EXPLAINS.test(text) && !carriesReason(details))
        found.push(finding(from, node.start, `"${text}" has no detail that says why (cause, reason, …)`));
  });
  return found;
}

/** Details that come from elsewhere, as a whole or spread, are believed. */
function carriesReason(details: Node | undefined): boolean {
  if (details?.type !== 'ObjectExpression') return details !== undefined;
  return (details.properties as readonly Node[]).some(
    (each) => each.type === 'SpreadElement' || REASONS.has(nameOf(each.key) ?? ''),
  );
}

/** A literal, or a template with `…` for each of its values. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  const parts = node.quasis as readonly { readonly value: { readonly cooked: string } }[];
  return parts.map(({ value }) => value.cooked).join('…');
}

/** The text of a literal, or both texts of a choice between two. */
function textsOf(node: Node | undefined): string[] {
  if (node?.type === 'Literal' && typeof node.value === 'string') return [node.value];
  if (node?.type !== 'ConditionalExpression') return [];
  return [node.consequent, node.alternate].filter(isNode).flatMap(textsOf);
}

/** The last name of what is called: `log` of `this.#ports.log`. */
function calleeOf(call: Node | undefined): string | undefined {
  const callee = call?.callee;
  if (!isNode(callee)) return undefined;
  return nameOf(callee.type === 'MemberExpression' ? callee.property : callee);
}
