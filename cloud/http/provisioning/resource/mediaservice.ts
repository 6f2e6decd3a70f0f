import {
  mediaServiceRequestSchema,
  mediaServiceResponseSchema,
} from '#shared/contract/provisioning/index.ts';
import { createRouter } from '../../routing/api.ts';
import type { Api } from '../../routing/api-env.ts';
import type { Gate } from '../../routing/gate.ts';
import type { AppPort } from '../../routing/port.ts';
import { resourceRoutes } from './resource.ts';

const path = '/mediaservice/{domain}';
const tags = ['Media services'];

/** `/mediaservice/{domain}` and by id: the service itself; what happens in its sessions is asked elsewhere. */
export function mediaServiceRouter(port: AppPort, gate: Gate): Api {
  const router = createRouter();
  resourceRoutes<'mediaService'>(router, gate, {
    core: port.provisioning.mediaService,
    versions: port.provisioning.mediaService,
    path,
    idName: 'mediaServiceId',
    member: 'mediaservice',
    tags,
    noun: 'a media service',
    plural: 'media services',
    request: mediaServiceRequestSchema,
    response: mediaServiceResponseSchema,
    hasSets: false,
    hasPatch: false,
    isCalled: true,
  });
  return router;
}
