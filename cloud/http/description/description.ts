import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import { DRY_RUN, DRY_RUN_HEADER, dryRunMethod } from '../routing/dry-run.ts';
import type { AppPort } from '../routing/port.ts';
import { type ExampleSchema, exampleOf, type NamedSchemas } from './example.ts';
import { messageDescription } from './message-description.ts';
import { operationText, type TextedOperation } from './operation-text.ts';
import { TAG_TEXT } from './tag-text.ts';
import { registerWebhooks } from './webhook.ts';

/**
 * `/openapi.json`: OpenAPI 3.1 from the schemas that validate, with the callbacks as webhooks. `/asyncapi.json`:
 * AsyncAPI 3 of the MQTT tree.
 */
export function descriptionRouter(app: Api, port: DescribedPort): Api {
  registerWebhooks(app);
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'JWT signed by a registered API key (RS256, ES256, EdDSA), or an API token',
  });
  const router = createRouter();
  let text: string | undefined;
  router.get('/openapi.json', (c) => {
    text ??= JSON.stringify(described(app, port), withoutFlags);
    return c.body(text, 200, { 'Content-Type': 'application/json' });
  });
  let messages: string | undefined;
  router.get('/asyncapi.json', (c) => {
    messages ??= JSON.stringify(messageDescription(port.version, port.brokerUrl ?? 'mqtt://127.0.0.1:1883'));
    return c.body(messages, 200, { 'Content-Type': 'application/json' });
  });
  return router;
}

/** The flag `u` of a pattern as the generator writes it, behind a slash; a slash of the pattern itself is escaped. */
const UNICODE_FLAG = /(?<!\\)\/u$/;

/**
 * A pattern of JSON Schema is an ECMA-262 expression without flags, and its readers compile it as Unicode (JSON Schema
 * 2020-12, core 6.4). Other flags have no counterpart; the contract does without them.
 */
const withoutFlags = (name: string, value: unknown): unknown =>
  name === 'pattern' && typeof value === 'string' ? value.replace(UNICODE_FLAG, '') : value;

type DescribedPort = Pick<AppPort, 'publicUrl' | 'version' | 'brokerUrl'>;

function described(app: Api, { publicUrl, version }: DescribedPort) {
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Carillon',
      version,
      description: 'API for alarms, SIP and media across sites.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: publicUrl }],
    security: [{ bearer: [] }],
    tags: Object.entries(TAG_TEXT).map(([name, description]) => ({ name, description })),
  });
  const named = (document.components?.schemas ?? {}) as NamedSchemas;
  for (const [path, item] of Object.entries(document.paths ?? {}))
    for (const [method, operation] of Object.entries(item)) completeOperation(method, path, operation, named);
  for (const [name, item] of Object.entries(document.webhooks ?? {}))
    for (const operation of Object.values(item))
      completeWebhook(name, operation as DescribedOperation, named);
  return document;
}

/** Adds what every operation has, so that no route has to say it. */
function completeOperation(
  method: string,
  path: string,
  operation: DescribedOperation,
  named: NamedSchemas,
): void {
  operation.operationId ??= operationId(method, path);
  const dryRun = /^(?:post|put|patch|delete)$/.test(method)
    ? dryRunMethod(method.toUpperCase(), path)
    : 'own';
  if (dryRun !== 'own')
    operation.parameters = [...(operation.parameters ?? []), dryRunParameter(dryRun === 'none')];
  operation.description ??= operationText(operation);
  addExamples(operation, named);
}

/** Names of callbacks are words of paths: `callrecording/newCall` becomes `onCallrecordingNewCall`. */
function completeWebhook(name: string, operation: DescribedOperation, named: NamedSchemas): void {
  operation.operationId ??= `on${name.split('/').map(capital).join('')}`;
  addExamples(operation, named);
}

/** Each JSON body and each answer that says a thing shows one that its schema takes. */
function addExamples({ requestBody, responses = {} }: DescribedOperation, named: NamedSchemas): void {
  for (const content of [requestBody?.content, responses[200]?.content]) {
    for (const [type, media] of Object.entries(content ?? {})) {
      if (!type.includes('json') || media.schema === undefined || 'example' in media) continue;
      const example = exampleOf(media.schema, named);
      if (example !== undefined) media.example = example;
    }
  }
}

type DescribedContent = Record<string, { schema?: ExampleSchema; example?: unknown }>;

interface DescribedOperation extends TextedOperation {
  operationId?: string;
  description?: string;
  parameters?: readonly unknown[];
  readonly requestBody?: { readonly content: DescribedContent };
  readonly responses?: Readonly<Record<number, { readonly content?: DescribedContent }>>;
}

const dryRunParameter = (impossible: boolean) => ({
  name: DRY_RUN,
  in: 'query',
  required: false,
  description: impossible
    ? 'true: the request is refused with 400, because its effect cannot be taken back'
    : `true: the request is checked and answered, and nothing is kept; the answer has the header ${DRY_RUN_HEADER}, and in stored the resource as it would read`,
  schema: { type: 'string', enum: ['true', 'false'] },
  example: 'true',
});

/** `patch /provisioning/device/{domain}/{deviceId}` is `patchProvisioningDeviceByDeviceId`: names for generated clients. */
function operationId(method: string, path: string): string {
  const words = path
    // In every other path the tenant is a matter of course.
    .replace(/^(\/(?!platform)\w+\/\w+)\/\{domain\}/, '$1')
    // A file of a resource is a word of its own: `capture.json` is `CaptureJson`.
    .split(/[/.]/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{') ? `By${capital(part.slice(1, -1))}` : capital(part)));
  return method + words.join('');
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
