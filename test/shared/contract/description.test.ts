import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as callback from '#shared/contract/callback/index.ts';
import * as provisioning from '#shared/contract/provisioning/index.ts';

/** The API description is generated from these schemas: whatever cannot be described must show here. */
const json = (schema: z.ZodType) => ({ content: { 'application/json': { schema } } });

const requests: Record<string, z.ZodType> = {
  alarmbridge: provisioning.alarmBridgeRequestSchema,
  alarmeventmapper: provisioning.alarmEventMapperRequestSchema,
  cloudsipua: provisioning.cloudSipUaRequestSchema,
  trunk: provisioning.trunkRequestSchema,
  mediaservice: provisioning.mediaServiceRequestSchema,
  callrecording: provisioning.recordingServiceRequestSchema,
  protocolprofile: provisioning.protocolProfileRequestSchema,
  configuration: provisioning.configurationRequestSchema,
  promote: provisioning.promotionSchema,
  device: provisioning.deviceRequestSchema,
  patch: provisioning.jsonPatchSchema,
  tenant: provisioning.tenantSchema,
  apikey: provisioning.apiKeyRequestSchema,
  apitoken: provisioning.apiTokenRequestSchema,
  notificationsettings: provisioning.notificationSettingsRequestSchema,
  deleteall: provisioning.deleteAllDevicesSchema,
  trymap: provisioning.eventMapTrialSchema,
};
const answers: Record<string, z.ZodType> = {
  alarmbridge: provisioning.listAnswer('alarmbridges', provisioning.alarmBridgeResponseSchema),
  alarmeventmapper: provisioning.oneAnswer('alarmeventmapper', provisioning.alarmEventMapperResponseSchema),
  cloudsipua: provisioning.oneAnswer('cloudsipua', provisioning.cloudSipUaResponseSchema),
  trunk: provisioning.oneAnswer('trunk', provisioning.trunkResponseSchema),
  mediaservice: provisioning.oneAnswer('mediaservice', provisioning.mediaServiceResponseSchema),
  callrecording: provisioning.oneAnswer('callrecording', provisioning.recordingServiceResponseSchema),
  protocolprofile: provisioning.serviceStoredAnswerSchema,
  configuration: provisioning.configurationAnswerSchema,
  promote: provisioning.promotedSchema,
  device: provisioning.deviceAnswerSchema,
  patch: provisioning.doneAnswerSchema,
  tenant: provisioning.storedAnswerSchema,
  apikey: provisioning.apiKeyCreatedSchema,
  apitoken: provisioning.apiTokenCreatedSchema,
  notificationsettings: provisioning.oneAnswer(
    'notificationsettings',
    provisioning.notificationSettingsSchema,
  ),
  deleteall: provisioning.deletedAllAnswerSchema,
  trymap: provisioning.eventMapTrialAnswerSchema,
};
const webhooks: Record<string, z.ZodType> = {
  newAlarmbridgeEvent: callback.newAlarmbridgeEventSchema,
  message: callback.sipMessageReceivedSchema,
  platformAlarm: callback.platformAlarmSchema,
};

const app = new OpenAPIHono();
for (const [name, schema] of Object.entries(requests)) {
  const answer = answers[name] ?? z.never();
  const route = createRoute({
    method: 'post',
    path: `/${name}`,
    request: { query: provisioning.listQuerySchema, body: { required: true, ...json(schema) } },
    responses: {
      200: { description: 'done', ...json(answer) },
      400: { description: 'refused', ...json(provisioning.errorAnswerSchema) },
    },
  });
  app.openAPIRegistry.registerPath(route);
}
for (const [name, schema] of Object.entries(webhooks)) {
  app.openAPIRegistry.registerWebhook({
    method: 'post',
    path: name,
    request: { body: json(schema) },
    responses: { 200: { description: 'taken', ...json(callback.alarmDecisionSchema) } },
  });
}
const document = app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'test', version: '1' } });
const schemas = document.components?.schemas ?? {};

it('describes the variants of an alarm bridge by protocol', () => {
  expect(schemas.AlarmBridge).toMatchObject({
    oneOf: [
      { $ref: '#/components/schemas/SipMessageBridge' },
      { $ref: '#/components/schemas/ToneBridge' },
      { $ref: '#/components/schemas/IpReceiverBridge' },
      { $ref: '#/components/schemas/ApiBridge' },
      { $ref: '#/components/schemas/VoiceBridge' },
    ],
    discriminator: { propertyName: 'protocol', mapping: { scaip: '#/components/schemas/SipMessageBridge' } },
  });
});

it('describes every callback', () => {
  expect(Object.keys(document.webhooks ?? {})).toEqual(Object.keys(webhooks));
});

it('fills no reference that does not exist', () => {
  const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  for (const [, name] of references) expect(schemas).toHaveProperty(name ?? '');
});

describe.each(Object.keys(schemas))('%s', (name) => {
  it('is described, and so is every property of its own', () => {
    const schema = schemas[name];
    expect(schema).toHaveProperty('description');
    const properties: Record<string, object> = (schema && 'properties' in schema && schema.properties) || {};
    for (const [property, described] of Object.entries(properties)) {
      const said =
        'description' in described || '$ref' in described || 'allOf' in described || 'oneOf' in described;
      expect(said, property).toBe(true);
    }
  });
});

describe('examples', () => {
  const all = [
    ...Object.entries(requests),
    ...Object.entries(webhooks),
    ['decision', callback.alarmDecisionSchema],
  ];
  it.each(all as [string, z.ZodType][])('are valid for %s, where given', (_, schema) => {
    const inner = schema instanceof z.ZodPipe ? (schema.out as z.ZodType) : schema;
    const example = inner.meta()?.example;
    if (example !== undefined) expect(schema.safeParse(example).error).toBeUndefined();
    else expect(['apikey', 'deleteall', 'platformAlarm']).toContain(_);
  });
});
