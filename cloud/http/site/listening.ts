import { createRoute, z } from '@hono/zod-openapi';
import { doneAnswerSchema } from '#shared/contract/provisioning/index.ts';
import {
  callbackCopiesSchema,
  listenedAnswerSchema,
  listenedSchema,
  listeningAnswerSchema,
  listeningListSchema,
  listeningRequestSchema,
} from '#shared/contract/site/index.ts';
import type { Listenings } from '../../site/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import { eventsOf, STREAM_HEADERS } from '../routing/event-stream.ts';
import type { Gate } from '../routing/gate.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';

const tags = ['Listening'];
const listenParam = domainParam.extend({
  listenId: z.string().max(64).meta({ description: 'Id of the listening', example: 'k3v9q8w6m4n2p0r1s5v7' }),
});
const events = answers(listenedSchema, 'Events: copy, gap, trouble, ask');
const { content } = events[200];

/**
 * `/listening/{domain}`: developers who follow masked copies of callbacks, with a scope of their own. `hangUp` ends the connection
 * of a request.
 */
export const listeningRouter =
  (listenings: Listenings, hangUp: (env: unknown) => void) =>
  (gate: Gate): Api => {
    const router = createRouter();
    const middleware = gate.tenant('listen', 'provisioning', 'list');
    router.openapi(
      createRoute({
        method: 'post',
        path: '/listening/{domain}',
        tags,
        summary: 'Open a listening: follow masked copies of callbacks for at most 8 h',
        description:
          'Needs callbackCopies of the notification settings. A copy opens nothing: names and numbers are masked, and its replyId is inert. The audit log names the caller.',
        middleware,
        request: { params: domainParam, body: jsonBody(listeningRequestSchema) },
        responses: answers(listeningAnswerSchema, 'The listening is open; its stream is read next'),
      }),
      async (c) => {
        const opened = await listenings.start(c.var.call, c.req.valid('json'));
        return opened.ok
          ? c.json({ success: true as const, listening: opened.value }, 200)
          : refusal(c, opened.error);
      },
    );
    router.openapi(
      createRoute({
        method: 'get',
        path: '/listening/{domain}',
        tags,
        summary: 'List the listenings that are open',
        middleware: gate.tenant('listen', 'reading', 'list'),
        request: { params: domainParam },
        responses: answers(listeningListSchema, 'All that are open, oldest first'),
      }),
      async (c) =>
        c.json({ success: true as const, listening: [...(await listenings.list(c.var.tenant.id))] }, 200),
    );
    router.openapi(
      createRoute({
        method: 'get',
        path: '/listening/{domain}/{listenId}/event',
        tags,
        summary: 'Follow the copies of a listening (server-sent events)',
        description:
          'Hosts send copies while this stream is read. A second reader of the same listening ends the first one.',
        middleware,
        request: { params: listenParam },
        responses: {
          ...events,
          200: { ...events[200], content: { 'text/event-stream': content['application/json'] } },
        },
      }),
      async (c) => {
        const followed = await listenings.follow(c.var.tenant.id, c.req.valid('param').listenId);
        if (!followed.ok) return refusal(c, followed.error);
        const stays = () => gate.stays(c, 'listen', 'provisioning');
        const { next, close } = followed.value;
        const ended = (): void => {
          close();
          hangUp(c.env);
        };
        return c.body(eventsOf({ next, close: ended }, stays), 200, STREAM_HEADERS);
      },
    );
    router.openapi(
      createRoute({
        method: 'get',
        path: '/listening/{domain}/{listenId}/copy/{traceId}',
        tags,
        summary: 'Read the copies of a trace again',
        description: 'Hosts keep the last 200 callbacks in memory; a restart forgets them.',
        middleware,
        request: {
          params: listenParam.extend({
            traceId: z.string().max(128).meta({ description: 'Trace', example: '5f0c9f2e-6f2a-4c4e-9a3e' }),
          }),
        },
        responses: answers(callbackCopiesSchema, 'Copies, oldest first; the list may be empty'),
      }),
      async (c) => {
        const { listenId, traceId } = c.req.valid('param');
        const found = await listenings.copiesOf(c.var.call, listenId, traceId);
        return found.ok
          ? c.json({ success: true as const, copies: [...found.value] }, 200)
          : refusal(c, found.error);
      },
    );
    router.openapi(
      createRoute({
        method: 'post',
        path: '/listening/{domain}/{listenId}/answer',
        tags,
        summary: 'Answer a callback of a receiver that names this listening',
        middleware: gate.tenant('listen', 'provisioning', 'runtime'),
        request: { params: listenParam, body: jsonBody(listenedAnswerSchema) },
        responses: answers(doneAnswerSchema, 'The answer is on its way to the host'),
      }),
      async (c) => {
        const { listenId } = c.req.valid('param');
        const done = await listenings.answered(c.var.tenant.id, listenId, c.req.valid('json'));
        return done.ok ? c.json({ success: true as const }, 200) : refusal(c, done.error);
      },
    );
    router.openapi(
      createRoute({
        method: 'delete',
        path: '/listening/{domain}/{listenId}',
        tags,
        summary: 'Close a listening',
        middleware,
        request: { params: listenParam },
        responses: answers(doneAnswerSchema, 'The listening is closed; its stream ends'),
      }),
      async (c) => {
        const done = await listenings.stop(c.var.call, c.req.valid('param').listenId);
        return done.ok ? c.json({ success: true as const }, 200) : refusal(c, done.error);
      },
    );
    return router;
  };

/** Headers of a callback that its application checks; all others belong to the connection. */
const PASSED = /^(authorization|content-type|idempotency-key|traceparent|x-[a-z-]+)$/;
const ANSWERED = ['content-type', 'retry-after'];

/**
 * `POST {base_url}/listen/{listenId}/…`: the address of receivers that name a listening as their callbackBaseUrl. The callback goes to the
 * developer whole, with the signature of the tenant. Without a listener it is refused at once, so that the receiver's fallback acts.
 */
export const listenRouter =
  (listenings: Listenings) =>
  (gate: Gate): Api => {
    const router = createRouter();
    router.post('/listen/:listenId/*', gate.open('runtime'), async (c) => {
      const { listenId = '' } = c.req.param();
      const path = c.req.path.slice(`/listen/${listenId}`.length);
      const headers = Object.fromEntries(
        Object.entries(c.req.header()).filter(([name]) => PASSED.test(name)),
      );
      const answer = await listenings.asked(listenId, { path, headers, body: await c.req.text() });
      if (!answer.ok) return refusal(c, answer.error, 503);
      const { status, body, headers: given } = answer.value;
      const named = Object.entries(given).filter(([name]) => ANSWERED.includes(name.toLowerCase()));
      return new Response(body === '' ? null : body, { status, headers: Object.fromEntries(named) });
    });
    return router;
  };
