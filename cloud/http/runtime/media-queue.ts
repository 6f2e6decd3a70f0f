import { mediaQueueListSchema, mediaQueueQuerySchema, QUEUES } from '#shared/contract/runtime/index.ts';
import type { RuntimeRelay } from '../../site/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { addRelayedReading } from './alarm-call.ts';

/** Queues of media services, asked of every host of the tenant. */
export const mediaQueueRouter =
  (relay: RuntimeRelay) =>
  (gate: Gate): Api => {
    const router = createRouter();
    addRelayedReading(router, gate, relay, {
      operation: QUEUES,
      tag: 'Media service runtime',
      path: '/mediaservice/{domain}/queue',
      summary: 'List queues of media services with their figures',
      asked: { query: mediaQueueQuerySchema },
      answer: {
        schema: mediaQueueListSchema,
        description: 'Queues with callers that wait, and their agents',
      },
    });
    return router;
  };
