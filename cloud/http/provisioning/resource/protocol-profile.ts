import { protocolProfileRequestSchema, protocolProfileSchema } from '#shared/contract/provisioning/index.ts';
import { createRouter } from '../../routing/api.ts';
import type { Api } from '../../routing/api-env.ts';
import type { Gate } from '../../routing/gate.ts';
import type { AppPort } from '../../routing/port.ts';
import { referrerRoute } from './referrer.ts';
import { resourceRoutes } from './resource.ts';

const path = '/provisioning/protocolprofile/{domain}';
const tags = ['Protocol profiles'];

/** `/provisioning/protocolprofile`: what a tenant changes in how protocols are spoken; ids are names. */
export function protocolProfileRouter(port: AppPort, gate: Gate): Api {
  const router = createRouter();
  resourceRoutes<'protocolProfile'>(router, gate, {
    core: port.provisioning.protocolProfile,
    versions: port.provisioning.protocolProfile,
    path,
    idName: 'name',
    member: 'protocolprofile',
    tags,
    noun: 'a protocol profile',
    plural: 'protocol profiles',
    request: protocolProfileRequestSchema,
    response: protocolProfileSchema,
    hasSets: false,
    hasPatch: true,
  });
  referrerRoute(router, gate, port, {
    name: 'protocolProfile',
    path,
    idName: 'name',
    tags,
    noun: 'a protocol profile',
  });
  return router;
}
