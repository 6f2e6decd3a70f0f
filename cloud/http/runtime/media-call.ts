import {
  MEDIA_OPERATION_SCHEMAS,
  MEDIA_OPERATIONS,
  mediaOperationAnswerSchema,
} from '#shared/contract/runtime/index.ts';
import type { RuntimeRelay } from '../../site/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { addRelayedRoute } from './alarm-call.ts';

/**
 * Operations of the media service (media document 4.1), handed to the host that has the session; placeivrcall to the first
 * host of the tenant that answers. Without their base, too, as the document spells them (decisions 1).
 */
export const mediaCallRouter =
  (relay: RuntimeRelay) =>
  (gate: Gate): Api => {
    const router = createRouter();
    for (const operation of MEDIA_OPERATIONS) {
      const schema = MEDIA_OPERATION_SCHEMAS[operation];
      const summary = schema.meta()?.description ?? operation;
      const answer = {
        schema: mediaOperationAnswerSchema,
        description: 'The command was accepted; results follow by callback',
      };
      for (const base of ['/mediaservice/{domain}', '/{domain}'])
        addRelayedRoute(router, gate, relay, {
          operation,
          schema,
          summary,
          answer,
          tag: 'Media service runtime',
          path: `${base}/${operation}`,
        });
    }
    return router;
  };
