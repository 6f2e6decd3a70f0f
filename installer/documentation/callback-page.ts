import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentOf, type OpenApi, type Operation } from '../build/openapi.ts';
import { exampleIn } from './api-page.ts';
import { code, fenced, joined, json, type Page, plain, slug, table } from './page.ts';
import { fieldTable } from './schema-text.ts';

interface Hook extends Operation {
  readonly description?: string;
}

const FOLDER = 'callbacks';

/** One page for each callback, after those that say how all of them are signed and delivered. */
export function callbackPages(document: OpenApi, root: string): Page[] {
  const hooks = Object.entries(document.webhooks ?? {}).map(
    ([name, item]) => [name, (item as { post: Hook }).post] as const,
  );
  return [
    {
      address: FOLDER,
      title: 'All callbacks',
      summary: `The ${hooks.length} requests that the platform sends to an application.`,
      body: joined(
        'A callback is an HTTPS POST of JSON to `callbackBaseUrl`, followed by the name of the callback. A *live* callback asks the application for a decision while a person or a device waits; a *record* reports what has happened.',
        table(
          ['Callback', 'Kind', 'Sent when'],
          hooks.map(([name, hook]) => [
            `[${name}](/docs/${FOLDER}/${slug(name)})`,
            isLive(hook) ? 'live' : 'record',
            plain(hook.summary ?? ''),
          ]),
        ),
        '## Headers of every callback',
        headerTable(hooks[0]?.[1]),
        'How a signature is checked, and verifiers to copy: [Signatures](/docs/callbacks/signatures).',
      ),
    },
    ...signaturePages(root),
    ...hooks.map(([name, hook]) => hookPage(document, name, hook)),
  ];
}

const isLive = (hook: Hook): boolean => contentOf(hook.responses[200]?.content) !== undefined;

const headerTable = (hook: Hook | undefined): string =>
  table(
    ['Header', 'Always there', 'Meaning'],
    [
      ['`Authorization`', 'yes', '`Bearer` and a JWT that is signed with the key of the receiver'],
      ...(hook?.parameters ?? []).map(({ name, required, ...rest }) => [
        code(name),
        required === true ? 'yes' : 'no',
        plain((rest as { description?: string }).description ?? ''),
      ]),
    ],
  );

function hookPage(document: OpenApi, name: string, hook: Hook): Page {
  const body = contentOf(hook.requestBody?.content);
  const answer = contentOf(hook.responses[200]?.content);
  const place =
    name === 'platformAlarm'
      ? 'It is posted to exactly the URL `alarmEventsRestEndpoint` of the notification settings.'
      : name === 'message'
        ? 'It is posted to `messageCallbackBaseUrl`, followed by `/message`.'
        : `It is posted to \`callbackBaseUrl\`, followed by \`/${name}\`.`;
  return {
    address: `${FOLDER}/${slug(name)}`,
    title: name,
    summary: hook.summary ?? '',
    body: joined(
      `${plain(hook.summary ?? '')}. ${place}`,
      plain(hook.description ?? ''),
      '## Body',
      body === undefined ? '' : fieldTable(document, body.schema),
      exampleBlock(exampleIn(hook.requestBody?.content)),
      '## Answer',
      answer === undefined
        ? 'Any answer with 2xx takes the callback. Its body is not read.'
        : fieldTable(document, answer.schema),
      exampleBlock(exampleIn(hook.responses[200]?.content)),
      '## Headers',
      headerTable(hook),
      'See also: [Signatures](/docs/callbacks/signatures), and [retries, order and repeats](/docs/guides/application).',
    ),
  };
}

const exampleBlock = (example: unknown): string => (example === undefined ? '' : json(example));

/** Verifiers by language; the tests run these files against the vectors. */
const VERIFIERS = [
  ['TypeScript', 'ts', 'sdk/js/src/callback/verify.ts', 'part of the SDK, on WebCrypto'],
  ['Python', 'python', 'sdk/python/carillon_sdk/verify.py', 'part of the SDK, on cryptography'],
  ['Go', 'go', 'sdk/verifier/callback_verifier.go', 'the standard library alone'],
  ['Java', 'java', 'sdk/verifier/CallbackVerifier.java', 'the standard library alone'],
  ['PHP', 'php', 'sdk/verifier/CallbackVerifier.php', 'openssl and sodium'],
  ['C#', 'csharp', 'sdk/verifier/CallbackVerifier.cs', 'the standard library alone, without EdDSA'],
] as const;

/** Languages that have a program around the verifier, by the heading that the site makes an anchor of. */
const PROGRAMS: Readonly<Record<string, string>> = {
  Python: 'python',
  Go: 'go',
  Java: 'java',
  PHP: 'php',
  'C#': 'c',
};

const wholeProgram = (language: string): string =>
  language in PROGRAMS
    ? ` A whole program around it: [Your own application](/docs/start/own-application#${PROGRAMS[language]}).`
    : '';

function signaturePages(root: string): Page[] {
  const text = (file: string): string => readFileSync(join(root, file), 'utf8');
  const { vectors } = JSON.parse(text('sdk/vectors/callback.json')) as { vectors: readonly unknown[] };
  const [, rules = ''] = /## Callbacks in one page\n([\s\S]*?)\n## /.exec(text('sdk/README.md')) ?? [];
  const address = (language: string): string => `${FOLDER}/verify-${slug(language.toLowerCase())}`;
  return [
    {
      address: `${FOLDER}/signatures`,
      title: 'Signatures',
      summary: 'How an application knows that a callback is genuine.',
      body: joined(
        rules.trim(),
        '## Verifiers to copy',
        table(
          ['Language', 'File', 'Brings'],
          VERIFIERS.map(([language, , file, brings]) => [
            `[${language}](/docs/${address(language)})`,
            code(file),
            brings,
          ]),
        ),
        '## Test vectors',
        `\`sdk/vectors/callback.json\` holds ${vectors.length} signed callbacks and the result that a verifier must have. Wrong ones are among them: no algorithm, HS256 with a public key, a body that was serialised again, a clock that is wrong.`,
      ),
    },
    ...VERIFIERS.map(([language, fence, file, brings]) => ({
      address: address(language),
      title: `Verifier in ${language}`,
      summary: `A verifier of callbacks in ${language}: one file to copy.`,
      body: joined(
        `\`${file}\`: ${brings}. The five rules that it follows stand at [Signatures](/docs/${FOLDER}/signatures).${wholeProgram(language)}`,
        fenced(fence, text(file)),
      ),
    })),
  ];
}
