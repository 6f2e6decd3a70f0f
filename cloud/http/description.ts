import type { z } from '@hono/zod-openapi';
import {
  alarmDecisionSchema,
  newAlarmbridgeEventSchema,
  platformAlarmSchema,
} from '#shared/contract/callback/index.ts';
import { type Api, createRouter } from './api.ts';
import type { AppPort } from './port.ts';

/** `/openapi.json`: OpenAPI 3.1 from the schemas that validate, with the callbacks as webhooks. */
export function descriptionRouter(app: Api, port: Pick<AppPort, 'publicUrl' | 'version'>): Api {
  registerWebhooks(app);
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'JWT signed by a registered API key (RS256, ES256, EdDSA), or an API token',
  });
  const router = createRouter();
  let text: string | undefined;
  router.get('/openapi.json', (c) => {
    text ??= JSON.stringify(described(app, port));
    return c.body(text, 200, { 'Content-Type': 'application/json' });
  });
  return router;
}

function described(app: Api, { publicUrl, version }: Pick<AppPort, 'publicUrl' | 'version'>) {
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Carillon', version, description: 'Alarms, SIP and media across sites.' },
    servers: [{ url: publicUrl }],
    security: [{ bearer: [] }],
  });
  for (const [path, item] of Object.entries(document.paths ?? {}))
    for (const [method, operation] of Object.entries(item))
      operation.operationId ??= operationId(method, path);
  return document;
}

/** `patch /provisioning/device/{domain}/{deviceId}` is `patchProvisioningDeviceByDeviceId`: names for generated clients. */
function operationId(method: string, path: string): string {
  const words = path
    // In every other path the tenant is a matter of course.
    .replace(/^(\/(?!platform)\w+\/\w+)\/\{domain\}/, '$1')
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{') ? `By${capital(part.slice(1, -1))}` : capital(part)));
  return method + words.join('');
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const json = <S extends z.ZodType>(schema: S) => ({ 'application/json': { schema } });

function registerWebhooks(app: Api): void {
  const tags = ['Callbacks'];
  app.openAPIRegistry.registerWebhook({
    method: 'post',
    path: 'newAlarmbridgeEvent',
    tags,
    summary: 'An alarm event was received; the answer says what to do',
    request: { body: { required: true, content: json(newAlarmbridgeEventSchema) } },
    responses: { 200: { description: 'Decision', content: json(alarmDecisionSchema) } },
  });
  app.openAPIRegistry.registerWebhook({
    method: 'post',
    path: 'platformAlarm',
    tags,
    summary: 'An alarm of the platform, to alarmEventsRestEndpoint',
    request: { body: { required: true, content: json(platformAlarmSchema) } },
    responses: { 200: { description: 'Taken' } },
  });
}
