import {
  recordingServiceRequestSchema,
  recordingServiceResponseSchema,
} from '#shared/contract/provisioning/index.ts';
import { createRouter } from '../../routing/api.ts';
import type { Api } from '../../routing/api-env.ts';
import type { Gate } from '../../routing/gate.ts';
import type { AppPort } from '../../routing/port.ts';
import { resourceRoutes } from './resource.ts';

const path = '/callrecording/{domain}';
const tags = ['Recording services'];

/** `/callrecording/{domain}` and by id: the SIPREC server itself; its recordings are asked for elsewhere. */
export function recordingServiceRouter(port: AppPort, gate: Gate): Api {
  const router = createRouter();
  resourceRoutes<'recordingService'>(router, gate, {
    core: port.provisioning.recordingService,
    versions: port.provisioning.recordingService,
    path,
    idName: 'recordingServiceId',
    member: 'callrecording',
    tags,
    noun: 'a recording service',
    plural: 'recording services',
    request: recordingServiceRequestSchema,
    response: recordingServiceResponseSchema,
    hasSets: false,
    hasPatch: false,
    isCalled: true,
  });
  return router;
}
