import { trunkRequestSchema, trunkResponseSchema } from '#shared/contract/provisioning/index.ts';
import { createRouter } from '../../routing/api.ts';
import type { Api } from '../../routing/api-env.ts';
import type { Gate } from '../../routing/gate.ts';
import type { AppPort } from '../../routing/port.ts';
import { resourceRoutes } from './resource.ts';

const path = '/provisioning/trunk/{domain}';
const tags = ['Trunks'];

/** `/provisioning/trunk`: SIP hosts of carriers and exchanges. */
export function trunkRouter(port: AppPort, gate: Gate): Api {
  const router = createRouter();
  resourceRoutes<'trunk'>(router, gate, {
    core: port.provisioning.trunk,
    versions: port.provisioning.trunk,
    path,
    idName: 'trunkId',
    member: 'trunk',
    tags,
    noun: 'a trunk',
    plural: 'trunks',
    request: trunkRequestSchema,
    response: trunkResponseSchema,
    hasSets: true,
    hasPatch: true,
  });
  return router;
}
