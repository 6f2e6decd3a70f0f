import { TAG_TEXT } from './tag-text.ts';

/** The members of an operation that its description follows from. */
export interface TextedOperation {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly unknown[];
}

/** Sentences by the first word of a summary. */
const VERB_TEXT: Readonly<Record<string, string>> = {
  Replace: 'A field that the body leaves out gets its default.',
  Change: 'Fields that the body does not name keep their values.',
};

/** Sentences about parameters that change how an operation is used, by their names. */
const PARAMETER_TEXT: Readonly<Record<string, string>> = {
  nextToken: 'An answer is one page; its nextToken, sent with the next request, leads to the page behind it.',
  'if-match':
    'With If-Match and the ETag of the last read, a change by another person is answered 412 and not overwritten.',
  'idempotency-key': 'The same request with the same Idempotency-Key is carried out once.',
  provisory: 'With provisory=true it acts on the set of drafts, which no host uses.',
};

/** The description of an operation that brings none: its subject, and the rules of its verb and of its parameters. */
export function operationText({ summary = '', tags = [], parameters = [] }: TextedOperation): string {
  const names = new Set(parameters.map((each) => String((each as { name?: unknown }).name).toLowerCase()));
  const [verb = ''] = summary.split(' ');
  return [
    ...tags.map((tag) => TAG_TEXT[tag]),
    VERB_TEXT[verb],
    ...Object.entries(PARAMETER_TEXT).map(([name, text]) =>
      names.has(name.toLowerCase()) ? text : undefined,
    ),
  ]
    .filter((text) => text !== undefined)
    .join(' ');
}
