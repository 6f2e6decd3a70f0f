import { protocolProfileRequestSchema, protocolProfileSchema } from '#shared/contract/provisioning/index.ts';
import { type Api, createRouter } from '../api.ts';
import type { Gate } from '../gate.ts';
import type { AppPort } from '../port.ts';
import { resourceRoutes } from './resource.ts';

const path = '/provisioning/protocolprofile/{domain}';
const tags = ['Protocol profiles'];

/** `/provisioning/protocolprofile`: what a tenant changes in how protocols are spoken; ids are names. */
export function protocolProfileRouter(port: AppPort, gate: Gate): Api {
  const router = createRouter();
  resourceRoutes(router, gate, {
    core: port.provisioning.protocolProfile,
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
  return router;
}
