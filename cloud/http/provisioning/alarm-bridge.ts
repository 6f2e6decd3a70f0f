import { createRoute, z } from '@hono/zod-openapi';
import {
  alarmBridgeRequestSchema,
  alarmBridgeResponseSchema,
  doneAnswerSchema,
  eventMapTrialAnswerSchema,
  eventMapTrialSchema,
  jsonPatchSchema,
  listAnswer,
  listQuerySchema,
  oneAnswer,
  provisoryQuerySchema,
  storedAnswerSchema,
  testConfigurationAnswerSchema,
} from '#shared/contract/provisioning/index.ts';
import { type Api, createRouter } from '../api.ts';
import type { Gate } from '../gate.ts';
import { afterOf, continuedAt } from '../next-token.ts';
import { answers, jsonBody, patchBody } from '../operation.ts';
import type { AppPort } from '../port.ts';
import { refusal } from '../refusal.ts';
import { domainParam } from './param.ts';

const all = '/provisioning/alarmbridge/{domain}';
const one = `${all}/{alarmBridgeId}` as const;
const idParam = domainParam.extend({
  alarmBridgeId: z.string().meta({ description: 'Id of the alarm bridge' }),
});
const destinationParam = domainParam.extend({
  destination: z.string().meta({ description: 'User part of the request URI' }),
});
const tags = ['Alarm bridges'];

const setOf = (provisory: boolean) => (provisory ? 'provisory' : 'working');

/** `/provisioning/alarmbridge`: provisioning document 2.1 and 4. */
export function alarmBridgeRouter({ provisioning }: AppPort, gate: Gate): Api {
  const { alarmBridge } = provisioning;
  const reading = gate.tenant('provisioning', 'reading', 'provisioning');
  const listing = gate.tenant('provisioning', 'reading', 'list');
  const writing = gate.tenant('provisioning', 'provisioning', 'provisioning');
  const router = createRouter();

  router.openapi(
    createRoute({
      method: 'get',
      path: all,
      tags,
      summary: 'List alarm bridges',
      middleware: listing,
      request: { params: domainParam, query: listQuerySchema },
      responses: answers(listAnswer('alarmbridges', alarmBridgeResponseSchema)),
    }),
    async (c) => {
      const { provisory, limit, nextToken } = c.req.valid('query');
      const after = afterOf(nextToken);
      if (!after.ok) return refusal(c, after.error);
      const { items, next } = await alarmBridge.list(c.var.tenant.id, setOf(provisory), after.value, limit);
      return c.json({ success: true as const, alarmbridges: [...items], ...continuedAt(next) }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'post',
      path: all,
      tags,
      summary: 'Create an alarm bridge',
      middleware: writing,
      request: { params: domainParam, query: provisoryQuerySchema, body: jsonBody(alarmBridgeRequestSchema) },
      responses: answers(storedAnswerSchema),
    }),
    async (c) => {
      const set = setOf(c.req.valid('query').provisory);
      const result = await alarmBridge.create(c.var.call, set, c.req.valid('json'));
      if (!result.ok) return refusal(c, result.error);
      c.header('ETag', result.value.etag);
      return c.json({ success: true as const, id: result.value.id }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'get',
      path: `${all}/testconfiguration/{destination}`,
      tags,
      summary: 'Who takes a call or message to a destination',
      middleware: reading,
      request: { params: destinationParam },
      responses: answers(testConfigurationAnswerSchema),
    }),
    async (c) => {
      const { destination } = c.req.valid('param');
      const result = await alarmBridge.testConfiguration(c.var.tenant.id, destination);
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const, ...result.value }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'get',
      path: one,
      tags,
      summary: 'Read an alarm bridge',
      middleware: reading,
      request: { params: idParam, query: provisoryQuerySchema },
      responses: answers(oneAnswer('alarmbridge', alarmBridgeResponseSchema)),
    }),
    async (c) => {
      const set = setOf(c.req.valid('query').provisory);
      const result = await alarmBridge.read(c.var.tenant.id, set, c.req.valid('param').alarmBridgeId);
      if (!result.ok) return refusal(c, result.error);
      c.header('ETag', result.value.etag);
      return c.json({ success: true as const, alarmbridge: result.value.value }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'put',
      path: one,
      tags,
      summary: 'Overwrite an alarm bridge, or store the draft of one',
      middleware: writing,
      request: { params: idParam, query: provisoryQuerySchema, body: jsonBody(alarmBridgeRequestSchema) },
      responses: answers(storedAnswerSchema),
    }),
    async (c) => {
      const set = setOf(c.req.valid('query').provisory);
      const { alarmBridgeId } = c.req.valid('param');
      const result = await alarmBridge.overwrite(c.var.call, set, alarmBridgeId, c.req.valid('json'));
      if (!result.ok) return refusal(c, result.error);
      c.header('ETag', result.value.etag);
      return c.json({ success: true as const, id: result.value.id }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'patch',
      path: one,
      tags,
      summary: 'Change parts of an alarm bridge',
      middleware: writing,
      request: { params: idParam, query: provisoryQuerySchema, body: patchBody(jsonPatchSchema) },
      responses: answers(doneAnswerSchema),
    }),
    async (c) => {
      const set = setOf(c.req.valid('query').provisory);
      const { alarmBridgeId } = c.req.valid('param');
      const result = await alarmBridge.patch(c.var.call, set, alarmBridgeId, c.req.valid('json'));
      if (!result.ok) return refusal(c, result.error);
      c.header('ETag', result.value.etag);
      return c.json({ success: true as const }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'delete',
      path: one,
      tags,
      summary: 'Delete an alarm bridge',
      middleware: writing,
      request: { params: idParam, query: provisoryQuerySchema },
      responses: answers(doneAnswerSchema),
    }),
    async (c) => {
      const set = setOf(c.req.valid('query').provisory);
      const result = await alarmBridge.remove(c.var.call, set, c.req.valid('param').alarmBridgeId);
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'post',
      path: `${one}/trymap`,
      tags,
      summary: 'Run customEventMap over an event',
      middleware: reading,
      request: { params: idParam, query: provisoryQuerySchema, body: jsonBody(eventMapTrialSchema) },
      responses: answers(eventMapTrialAnswerSchema),
    }),
    async (c) => {
      const set = setOf(c.req.valid('query').provisory);
      const { alarmBridgeId } = c.req.valid('param');
      const result = await alarmBridge.tryMap(c.var.tenant.id, set, alarmBridgeId, c.req.valid('json'));
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const, ...result.value }, 200);
    },
  );

  return router;
}
