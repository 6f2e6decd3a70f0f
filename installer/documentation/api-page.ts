import { contentOf, type NamedOperation, type OpenApi, operationsOf, type Schema } from '../build/openapi.ts';
import { code, joined, json, type Page, plain, slug, table } from './page.ts';
import { fieldTable, typeText } from './schema-text.ts';

/** The members that the pages read beside those of the build. */
export interface DescribedApi extends OpenApi {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

interface Described extends NamedOperation {
  readonly tags?: readonly string[];
  readonly description?: string;
}

const FOLDER = 'reference/api';

/** One page for each subject of the API, and one that lists them. */
export function apiPages(document: DescribedApi): Page[] {
  const operations = operationsOf(document) as Described[];
  const subjects = document.tags
    .map((tag) => ({ ...tag, all: operations.filter(({ tags }) => tags?.includes(tag.name)) }))
    .filter(({ all }) => all.length > 0);
  const list: Page = {
    address: FOLDER,
    title: 'API',
    summary: `The ${operations.length} operations of the HTTP API, by subject.`,
    body: joined(
      'Every operation takes and gives JSON. A request carries `Authorization: Bearer …` with a token that a registered API key has signed, or with an API token. An answer that fails has the body of [Errors](/docs/reference/errors).',
      'The same document as a machine reads it is `/openapi.json`; operations can be tried at [/docs/try](/docs/try) of the control plane. A new field or operation may come with any release; a program ignores fields that it does not know.',
      table(
        ['Subject', 'Operations', 'About'],
        subjects.map(({ name, description, all }) => [
          `[${name}](/docs/${FOLDER}/${slug(name)})`,
          String(all.length),
          plain(description),
        ]),
      ),
    ),
  };
  return [
    list,
    ...subjects.map(({ name, description, all }) => subjectPage(document, name, description, all)),
  ];
}

const subjectPage = (
  document: OpenApi,
  name: string,
  description: string,
  all: readonly Described[],
): Page => ({
  address: `${FOLDER}/${slug(name)}`,
  title: name,
  summary: description,
  body: joined(plain(description), ...all.map((each) => operationText(document, each, description))),
});

function operationText(document: OpenApi, operation: Described, subject: string): string {
  const { summary = '', description = '', method, path, parameters = [] } = operation;
  const body = contentOf(operation.requestBody?.content);
  const answer = contentOf(operation.responses[200]?.content);
  const own = description.replace(subject, '').trim();
  return joined(
    `## ${plain(summary)}`,
    `\`${method} ${path}\``,
    plain(own),
    parameters.length === 0
      ? ''
      : table(
          ['Parameter', 'In', 'Type', 'Needed', 'Meaning'],
          parameters.map(({ name, in: place, required, schema = {}, ...rest }) => [
            code(name),
            place,
            typeText(document, schema),
            required === true ? 'yes' : '',
            plain((rest as { description?: string }).description ?? schema.description ?? ''),
          ]),
        ),
    part(document, 'Body', body, exampleIn(operation.requestBody?.content)),
    part(document, 'Answer', answer, exampleIn(operation.responses[200]?.content)),
    refusalText(operation),
  );
}

function part(
  document: OpenApi,
  title: string,
  content: { type: string; schema: Schema } | undefined,
  example: unknown,
): string {
  if (content === undefined) return '';
  const isJson = content.type.includes('json');
  return joined(
    `**${title}**${isJson ? '' : ` as ${code(content.type)}`}`,
    fieldTable(document, content.schema),
    example === undefined ? '' : json(example),
  );
}

/** The example of a JSON body, as the document shows it. */
export function exampleIn(content: object | undefined): unknown {
  const media = Object.entries((content ?? {}) as Record<string, { example?: unknown }>);
  return media.find(([type]) => type.includes('json'))?.[1].example;
}

/** Statuses that not every operation has. */
const USUAL = new Set([
  '200',
  '400',
  '401',
  '403',
  '404',
  '409',
  '412',
  '413',
  '415',
  '429',
  '500',
  '503',
  '507',
]);

function refusalText({ responses }: Described): string {
  const own = Object.entries(responses as Record<string, { description?: string }>).filter(
    ([status]) => !USUAL.has(status),
  );
  return own.length === 0
    ? ''
    : `Beside the usual statuses: ${own.map(([status, { description = '' }]) => `${status} (${plain(description)})`).join('; ')}.`;
}
