import {
  alarmEventMapperRequestSchema,
  alarmEventMapperResponseSchema,
} from '#shared/contract/provisioning/index.ts';
import { createRouter } from '../../routing/api.ts';
import type { Api } from '../../routing/api-env.ts';
import type { Gate } from '../../routing/gate.ts';
import type { AppPort } from '../../routing/port.ts';
import { referrerRoute } from './referrer.ts';
import { resourceRoutes } from './resource.ts';
import { testConfigurationRoute } from './test-configuration.ts';

const path = '/provisioning/alarmeventmapper/{domain}';
const tags = ['Alarm event mappers'];

/** `/provisioning/alarmeventmapper`: provisioning document 2.3 and 4. */
export function alarmEventMapperRouter(port: AppPort, gate: Gate): Api {
  const router = createRouter();
  testConfigurationRoute(router, gate, port, { path, tags, of: 'alarmBridge' });
  resourceRoutes<'alarmEventMapper'>(router, gate, {
    core: port.provisioning.alarmEventMapper,
    versions: port.provisioning.alarmEventMapper,
    path,
    idName: 'alarmEventMapperId',
    member: 'alarmeventmapper',
    tags,
    noun: 'an alarm event mapper',
    plural: 'alarm event mappers',
    request: alarmEventMapperRequestSchema,
    response: alarmEventMapperResponseSchema,
    hasSets: true,
    hasPatch: true,
  });
  referrerRoute(router, gate, port, {
    name: 'alarmEventMapper',
    path,
    idName: 'alarmEventMapperId',
    tags,
    noun: 'an alarm event mapper',
  });
  return router;
}
