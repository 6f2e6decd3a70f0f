import { createRoute, z } from '@hono/zod-openapi';
import {
  changedAnswerSchema,
  doneAnswerSchema,
  listAnswer,
  listQuerySchema,
  oneAnswer,
  pageQuerySchema,
  patchSchema,
  provisoryQuerySchema,
  serviceStoredAnswerSchema,
  storedAnswerSchema,
} from '#shared/contract/provisioning/index.ts';
import type { Asked, Resource, ResourceHistory, ResourceName } from '../../../provisioning/index.ts';
import type { Api } from '../../routing/api-env.ts';
import type { Gate } from '../../routing/gate.ts';
import { afterOf, continuedAt } from '../../routing/next-token.ts';
import { answers, jsonBody, patchBody } from '../../routing/operation.ts';
import { domainParam } from '../../routing/param.ts';
import { refusal } from '../../routing/refusal.ts';
import { historyRoutes } from './history.ts';

/** One kind of resource as its routes see it. */
export interface ResourceRoutes<Name extends ResourceName> {
  readonly core: Resource<Name>;
  readonly versions: ResourceHistory;
  /** Path of the list, with `{domain}`. */
  readonly path: `/${string}/{domain}`;
  /** Parameter of the path of one. */
  readonly idName: string;
  /** Member of answers; lists put an `s` behind it. */
  readonly member: string;
  readonly tags: string[];
  /** With its article, in summaries: `a trunk`. */
  readonly noun: string;
  readonly plural: string;
  readonly request: z.ZodType<Asked<Name>>;
  readonly response: z.ZodType;
  /** Takes `provisory`; without it there is only the working set. */
  readonly hasSets: boolean;
  readonly hasPatch: boolean;
  /** POST and PUT also answer the SIP address. */
  readonly isCalled?: boolean;
}

const NO_QUERY = z.object({});

const setOf = (query: object) => ('provisory' in query && query.provisory === true ? 'provisory' : 'working');

/** The verbs that all resources have in common: list, POST, and GET, PUT, PATCH, DELETE by id. */
export function resourceRoutes<Name extends ResourceName>(
  router: Api,
  gate: Gate,
  given: ResourceRoutes<Name>,
): void {
  const { core, path, idName, member, tags, noun, plural, isCalled = false } = given;
  const reading = gate.tenant('provisioning', 'reading', 'provisioning');
  const listing = gate.tenant('provisioning', 'reading', 'list');
  const writing = gate.tenant('provisioning', 'provisioning', 'provisioning');
  const one = `${path}/{${idName}}`;
  const idParam = domainParam.extend({
    [idName]: z.string().meta({ description: `Id of ${noun}`, example: '01j9z3n6t2v4q8w5x7y1b3c5d7' }),
  });
  const query = given.hasSets ? provisoryQuerySchema : NO_QUERY;
  const request = given.request as z.ZodType<object>;
  // Answers are made by the core from what the request's schema has let in: typed by name here, not by shape.
  const stored = (isCalled ? serviceStoredAnswerSchema : storedAnswerSchema) as z.ZodType<object>;
  const listed = listAnswer(`${member}s`, given.response) as unknown as z.ZodType<object>;
  const single = oneAnswer(member, given.response) as unknown as z.ZodType<object>;

  router.openapi(
    createRoute({
      method: 'get',
      path: path as string,
      tags,
      summary: `List ${plural}`,
      middleware: listing,
      request: { params: domainParam, query: given.hasSets ? listQuerySchema : pageQuerySchema },
      responses: answers(listed),
    }),
    async (c) => {
      const asked = c.req.valid('query');
      const after = afterOf(asked.nextToken);
      if (!after.ok) return refusal(c, after.error);
      const { items, next } = await core.list(c.var.call, setOf(asked), after.value, asked.limit);
      const body: object = { success: true, [`${member}s`]: items, ...continuedAt(next) };
      return c.json(body, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'post',
      path: path as string,
      tags,
      summary: `Create ${noun}`,
      middleware: writing,
      request: { params: domainParam, query, body: jsonBody(request) },
      responses: answers(stored),
    }),
    async (c) => {
      const result = await core.create(
        c.var.call,
        setOf(c.req.valid('query')),
        c.req.valid('json') as Asked<Name>,
      );
      if (!result.ok) return refusal(c, result.error);
      const { etag, ...named } = result.value;
      c.header('ETag', etag);
      const body: object = { success: true, ...named };
      return c.json(body, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'get',
      path: one,
      tags,
      summary: `Read ${noun}`,
      middleware: reading,
      request: { params: idParam, query },
      responses: answers(single),
    }),
    async (c) => {
      const id = c.req.param(idName) ?? '';
      const result = await core.read(c.var.call, setOf(c.req.valid('query')), id);
      if (!result.ok) return refusal(c, result.error);
      c.header('ETag', result.value.etag);
      const body: object = { success: true, [member]: result.value.value };
      return c.json(body, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'put',
      path: one,
      tags,
      summary: `Replace ${noun}`,
      middleware: writing,
      request: { params: idParam, query, body: jsonBody(request) },
      responses: answers(stored),
    }),
    async (c) => {
      const set = setOf(c.req.valid('query'));
      const id = c.req.param(idName) ?? '';
      const result = await core.overwrite(c.var.call, set, id, c.req.valid('json') as Asked<Name>);
      if (!result.ok) return refusal(c, result.error);
      const { etag, ...named } = result.value;
      c.header('ETag', etag);
      const body: object = { success: true, ...named };
      return c.json(body, 200);
    },
  );

  if (given.hasPatch)
    router.openapi(
      createRoute({
        method: 'patch',
        path: one,
        tags,
        summary: `Change fields of ${noun}`,
        middleware: writing,
        request: { params: idParam, query, body: patchBody(patchSchema) },
        responses: answers(changedAnswerSchema),
      }),
      async (c) => {
        const set = setOf(c.req.valid('query'));
        const id = c.req.param(idName) ?? '';
        const result = await core.patch(c.var.call, set, id, c.req.valid('json'));
        if (!result.ok) return refusal(c, result.error);
        c.header('ETag', result.value.etag);
        const { warnings } = result.value;
        const body: object = { success: true, ...(warnings !== undefined && { warnings }) };
        return c.json(body, 200);
      },
    );

  router.openapi(
    createRoute({
      method: 'delete',
      path: one,
      tags,
      summary: `Delete ${noun}`,
      middleware: writing,
      request: { params: idParam, query },
      responses: answers(doneAnswerSchema),
    }),
    async (c) => {
      const id = c.req.param(idName) ?? '';
      const result = await core.remove(c.var.call, setOf(c.req.valid('query')), id);
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const }, 200);
    },
  );

  historyRoutes(router, gate, { core: given.versions, one, idParam, idName, tags, noun });
}
