import { cloudSipUaRequestSchema, cloudSipUaResponseSchema } from '#shared/contract/provisioning/index.ts';
import { createRouter } from '../../routing/api.ts';
import type { Api } from '../../routing/api-env.ts';
import type { Gate } from '../../routing/gate.ts';
import type { AppPort } from '../../routing/port.ts';
import { resourceRoutes } from './resource.ts';
import { testConfigurationRoute } from './test-configuration.ts';

const path = '/provisioning/cloudsipua/{domain}';
const tags = ['Cloud SIP user agents'];

/** `/provisioning/cloudsipua`: provisioning document 2.4 and 4. */
export function cloudSipUaRouter(port: AppPort, gate: Gate): Api {
  const router = createRouter();
  testConfigurationRoute(router, gate, port, { path, tags, of: 'cloudSipUa' });
  resourceRoutes<'cloudSipUa'>(router, gate, {
    core: port.provisioning.cloudSipUa,
    versions: port.provisioning.cloudSipUa,
    path,
    idName: 'cloudSipUAId',
    member: 'cloudsipua',
    tags,
    noun: 'a cloud SIP user agent',
    plural: 'cloud SIP user agents',
    request: cloudSipUaRequestSchema,
    response: cloudSipUaResponseSchema,
    hasSets: true,
    hasPatch: true,
  });
  return router;
}
