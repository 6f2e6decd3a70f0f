import { createRoute, z } from '@hono/zod-openapi';
import { listAnswer, referrerSchema } from '#shared/contract/provisioning/index.ts';
import type { NamedResource } from '../../../provisioning/index.ts';
import type { Api } from '../../routing/api-env.ts';
import type { Gate } from '../../routing/gate.ts';
import { answers } from '../../routing/operation.ts';
import { domainParam } from '../../routing/param.ts';
import type { AppPort } from '../../routing/port.ts';
import { refusal } from '../../routing/refusal.ts';

/** `…/{id}/referrer`: the objects of the configuration that name this one. */
export function referrerRoute(
  router: Api,
  gate: Gate,
  { provisioning }: AppPort,
  given: {
    readonly name: NamedResource;
    /** Path of the list, with `{domain}`. */
    readonly path: `/${string}/{domain}`;
    readonly idName: string;
    readonly tags: string[];
    readonly noun: string;
  },
): void {
  const { name, path, idName, tags, noun } = given;
  const id = z.string().meta({ description: `Id of ${noun}`, example: '01j9z3n6t2v4q8w5x7y1b3c5d7' });
  router.openapi(
    createRoute({
      method: 'get',
      path: `${path}/{${idName}}/referrer` as string,
      tags,
      summary: `List the objects that name ${noun}`,
      description:
        'Objects of the configuration and drafts that name it, each with the field. While an object that is no draft names it, it cannot be deleted.',
      middleware: gate.tenant('provisioning', 'reading', 'list'),
      request: { params: domainParam.extend({ [idName]: id }) },
      responses: answers(listAnswer('referrers', referrerSchema)),
    }),
    async (c) => {
      const result = await provisioning.referrers(c.var.tenant.id, name, c.req.param(idName) ?? '');
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const, referrers: [...result.value] }, 200);
    },
  );
}
