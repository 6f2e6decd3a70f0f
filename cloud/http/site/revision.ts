import { createRoute, z } from '@hono/zod-openapi';
import { listAnswer, oneAnswer } from '#shared/contract/provisioning/index.ts';
import { changedEntitySchema, type RevisionReach, revisionReachSchema } from '#shared/contract/site/index.ts';
import type { Sites } from '../../site/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';

/** Chosen: hosts take a revision within a second or two; a longer wait is a new request. */
const LONGEST_WAIT_S = 30;
const LOOK_MS = 200;
/** Chosen: requests of a tenant that wait at once; each costs a query in every 200 ms. */
const MOST_WAITING = 20;

const param = domainParam.extend({
  revision: z.coerce.number().int().min(1).meta({ description: 'Answer of a write', example: 17 }),
});
const query = z.object({
  wait: z.coerce.number().min(0).max(LONGEST_WAIT_S).default(0).meta({
    description: 'Longest wait until every active host has the revision',
    'x-unit': 's',
    example: 5,
  }),
});
const changeQuery = z.object({
  from: z.coerce.number().int().min(0).optional().meta({
    description: 'Earlier revision that is compared; absent: the one before',
    example: 12,
  }),
});

/** `/site/{domain}/revision/{revision}`: an application asks whether sites have what it has written, or waits for it. */
export const revisionRouter =
  (
    { reach, changes }: { readonly reach: Sites['revision']; readonly changes: Sites['revisionChanges'] },
    after: (ms: number, run: () => void) => void,
    nowMs: () => number,
  ) =>
  (gate: Gate): Api => {
    const router = createRouter();
    const waiting = new Map<string, number>();

    const look = async (tenant: string, revision: number): Promise<RevisionReach> => {
      const hosts = [...(await reach(tenant, revision))];
      return { revision, reached: hosts.every(({ reached }) => reached), hosts };
    };

    const waited = async (tenant: string, revision: number, untilMs: number): Promise<RevisionReach> => {
      for (;;) {
        const found = await look(tenant, revision);
        if (found.reached || nowMs() >= untilMs) return found;
        await new Promise<void>((resolve) => after(LOOK_MS, resolve));
      }
    };

    router.openapi(
      createRoute({
        method: 'get',
        path: '/site/{domain}/revision/{revision}',
        tags: ['Sites'],
        summary: 'Ask or wait whether the hosts of a tenant have a revision of its configuration',
        middleware: gate.tenant('provisioning', 'reading', 'list'),
        request: { params: param, query },
        responses: answers(oneAnswer('reach', revisionReachSchema)),
      }),
      async (c) => {
        const { id } = c.var.tenant;
        const { wait } = c.req.valid('query');
        const { revision } = c.req.valid('param');
        const before = waiting.get(id) ?? 0;
        if (wait > 0 && before >= MOST_WAITING)
          return refusal(c, {
            code: 'tooManyRequests',
            reason: `The wait is refused: ${MOST_WAITING} requests of the tenant wait already. Ask without wait.`,
          });
        waiting.set(id, before + 1);
        try {
          const found = await waited(id, revision, nowMs() + wait * 1_000);
          return c.json({ success: true as const, reach: found }, 200);
        } finally {
          const left = (waiting.get(id) ?? 1) - 1;
          if (left > 0) waiting.set(id, left);
          else waiting.delete(id);
        }
      },
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: '/site/{domain}/revision/{revision}/change',
        tags: ['Sites'],
        summary:
          'List the entities that changed between two revisions of the configuration; secrets are masked',
        middleware: gate.tenant('provisioning', 'reading', 'list'),
        request: { params: param, query: changeQuery },
        responses: answers(listAnswer('changes', changedEntitySchema)),
      }),
      async (c) => {
        const { revision } = c.req.valid('param');
        const { from = revision - 1 } = c.req.valid('query');
        return c.json(
          { success: true as const, changes: await changes(c.var.tenant.id, from, revision) },
          200,
        );
      },
    );
    return router;
  };
