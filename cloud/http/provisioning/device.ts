import { createRoute, type z } from '@hono/zod-openapi';
import {
  deleteAllDevicesSchema,
  deletedAllAnswerSchema,
  deviceAnswerSchema,
  deviceIdField,
  deviceListQuerySchema,
  devicePutAnswerSchema,
  deviceRequestSchema,
  deviceResponseSchema,
  doneAnswerSchema,
  listAnswer,
  patchSchema,
} from '#shared/contract/provisioning/index.ts';
import { checkFresh } from '../../tenant/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answerText, setHeader } from '../routing/json-text.ts';
import { afterOf, continuedAt } from '../routing/next-token.ts';
import { answers, jsonBody, patchBody } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import type { AppPort } from '../routing/port.ts';
import { refusal } from '../routing/refusal.ts';
import { answerStored } from '../routing/stored-answer.ts';

const all = '/provisioning/device/{domain}';
const one = `${all}/{deviceId}` as const;
const idParam = domainParam.extend({ deviceId: deviceIdField });
const tags = ['Devices'];

const deviceListAnswerSchema = listAnswer('devices', deviceResponseSchema);

type DeviceAnswer = z.output<typeof deviceAnswerSchema>;
type DeviceListAnswer = z.output<typeof deviceListAnswerSchema>;

/** `/provisioning/device`: provisioning document 2.5 and 4. Ids may hold colons, percent-encoded or not. */
export function deviceRouter({ provisioning }: AppPort, gate: Gate): Api {
  const { device } = provisioning;
  const reading = gate.tenant('provisioning', 'reading', 'provisioning');
  const listing = gate.tenant('provisioning', 'reading', 'list');
  const writing = gate.tenant('provisioning', 'provisioning', 'provisioning');
  const router = createRouter();

  router.openapi(
    createRoute({
      method: 'get',
      path: all,
      tags,
      summary: 'List devices',
      middleware: listing,
      request: { params: domainParam, query: deviceListQuerySchema },
      responses: answers(deviceListAnswerSchema),
    }),
    async (c) => {
      const { filter = '', limit, nextToken } = c.req.valid('query');
      const after = afterOf(nextToken);
      if (!after.ok) return refusal(c, after.error);
      const { items, next } = await device.list(c.get('tenant').id, filter, after.value, limit);
      const { nextToken: token } = continuedAt(next);
      const more = token === undefined ? '' : `,"nextToken":"${token}"`;
      return answerText<DeviceListAnswer>(c, `{"success":true,"devices":[${items.join(',')}]${more}}`);
    },
  );

  router.openapi(
    createRoute({
      method: 'put',
      path: all,
      tags,
      summary: 'Create or replace a device',
      middleware: writing,
      request: { params: domainParam, body: jsonBody(deviceRequestSchema) },
      responses: answers(devicePutAnswerSchema),
    }),
    async (c) => answerStored(c, await device.put(c.var.call, c.req.valid('json'))),
  );

  router.openapi(
    createRoute({
      method: 'delete',
      path: all,
      tags,
      summary: 'Delete every device, or count them',
      middleware: writing,
      request: { params: domainParam, body: { ...jsonBody(deleteAllDevicesSchema), required: false } },
      responses: answers(deletedAllAnswerSchema),
    }),
    async (c) => {
      // Without a body the validator leaves an empty object: that only counts.
      const { confirmDeleteAll = false } = c.req.valid('json');
      if (!confirmDeleteAll) {
        const count = await device.count(c.var.tenant.id);
        return c.json({ success: true as const, message: `${count} devices would be deleted` }, 200);
      }
      const fresh = checkFresh(c.var.principal, c.var.call.actor.at);
      if (!fresh.ok) return refusal(c, fresh.error);
      const result = await device.removeAll(c.var.call);
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const, message: `${result.value} devices deleted` }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'get',
      path: one,
      tags,
      summary: 'Read a device',
      middleware: reading,
      request: { params: idParam },
      responses: answers(deviceAnswerSchema),
    }),
    async (c) => {
      const result = await device.read(c.get('tenant').id, c.req.valid('param').deviceId);
      if (!result.ok) return refusal(c, result.error);
      const { text, etag } = result.value;
      setHeader(c, 'ETag', etag);
      return answerText<DeviceAnswer>(c, `${text.slice(0, -1)},"success":true}`);
    },
  );

  router.openapi(
    createRoute({
      method: 'delete',
      path: one,
      tags,
      summary: 'Delete a device',
      middleware: writing,
      request: { params: idParam },
      responses: answers(doneAnswerSchema),
    }),
    async (c) => {
      const result = await device.remove(c.var.call, c.req.valid('param').deviceId);
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'patch',
      path: one,
      tags,
      summary: 'Change fields of a device',
      middleware: writing,
      request: { params: idParam, body: patchBody(patchSchema) },
      // As for PUT: a patch to authType credentials without ha1 generates a password, and this is its only answer.
      responses: answers(devicePutAnswerSchema),
    }),
    async (c) =>
      answerStored(c, await device.patch(c.var.call, c.req.valid('param').deviceId, c.req.valid('json'))),
  );

  return router;
}
