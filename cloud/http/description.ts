import type { z } from '@hono/zod-openapi';
import {
  alarmDecisionSchema,
  newAlarmbridgeEventSchema,
  platformAlarmSchema,
} from '#shared/contract/callback/index.ts';
import { type Api, createRouter } from './api.ts';
import type { AppPort } from './port.ts';

const json = <S extends z.ZodType>(schema: S) => ({ 'application/json': { schema } });

/** `/openapi.json`: OpenAPI 3.1 from the schemas that validate, with the callbacks as webhooks. */
export function descriptionRouter(app: Api, port: Pick<AppPort, 'publicUrl' | 'version'>): Api {
  const router = createRouter();
  registerWebhooks(app);
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'JWT signed by a registered API key (RS256, ES256, EdDSA), or an API token',
  });
  let document: string | undefined;
  router.get('/openapi.json', (c) => {
    document ??= JSON.stringify(
      app.getOpenAPI31Document({
        openapi: '3.1.0',
        info: {
          title: 'Carillon',
          version: port.version,
          description: 'Alarms, SIP and media across sites.',
        },
        servers: [{ url: port.publicUrl }],
        security: [{ bearer: [] }],
      }),
    );
    return c.body(document, 200, { 'Content-Type': 'application/json' });
  });
  return router;
}

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
