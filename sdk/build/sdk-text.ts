import { clientText } from '#installer/build/client-text.ts';
import type { OpenApi, Schema } from '#installer/build/openapi.ts';

/** The generated part of the JavaScript SDK: types of the API, and of its callbacks. */
export function sdkTexts(document: OpenApi): {
  readonly 'api.codes.ts': string;
  readonly 'callback.codes.ts': string;
} {
  return {
    'api.codes.ts': clientText(document).replace(
      'installer/build/write-client.ts',
      'sdk/build/write-types.ts',
    ),
    'callback.codes.ts': callbackText(document),
  };
}

interface Webhook {
  readonly post: {
    readonly summary?: string;
    readonly requestBody: { readonly content: Content };
    readonly responses: { readonly 200: { readonly content?: Content } };
  };
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;

function callbackText({ webhooks = {} }: OpenApi): string {
  const rows = Object.entries(webhooks as Readonly<Record<string, Webhook>>).map(([name, { post }]) => ({
    name,
    summary: post.summary ?? name,
    body: typeName(post.requestBody.content) ?? 'unknown',
    answer: typeName(post.responses[200].content),
  }));
  const types = rows
    .flatMap(({ body, answer }) => [body, answer ?? body])
    .filter((type) => type !== 'unknown');
  const imports = [...new Set(types)].toSorted();
  return [
    '// Made from the OpenAPI document by sdk/build/write-types.ts; changes by hand are lost.',
    '',
    `import type { ${imports.join(', ')} } from './api.codes.ts';`,
    '',
    '/** Body and answer of each callback. */',
    'export interface Callbacks {',
    ...rows.flatMap(({ name, summary, body, answer }) => [
      `  /** ${summary} */`,
      `  ${quoted(name)}: { body: ${body}; answer: ${answer ?? 'unknown'} };`,
    ]),
    '}',
    '',
    'export type CallbackName = keyof Callbacks;',
    '',
    '/** `decides`: the answer decides what follows; any other callback is a record. */',
    'export const CALLBACKS = {',
    ...rows.map(({ name, answer }) => `  ${quoted(name)}: { decides: ${answer !== undefined} },`),
    '} as const satisfies Record<CallbackName, { decides: boolean }>;',
    '',
  ].join('\n');
}

const quoted = (name: string): string => (/^\w+$/.test(name) ? name : `'${name}'`);

const typeName = (content: Content | undefined): string | undefined =>
  content?.['application/json']?.schema.$ref?.split('/').at(-1);
