import {
  MEDIA_OPERATION_SCHEMAS,
  REMOTE_CALL_OPERATIONS,
  REMOTE_CALL_SCHEMAS,
  remoteCallAnswerSchema,
} from '#shared/contract/runtime/index.ts';
import type { RuntimeRelay } from '../../site/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { addRelayedRoute } from './alarm-call.ts';

/**
 * Operations of cloud SIP user agents (media document 4.2), handed to the host that has the call; placeremotecall to the
 * first host of the tenant that answers. With and without `jwt` at their end, and also without their base.
 */
export const remoteCallRouter =
  (relay: RuntimeRelay) =>
  (gate: Gate): Api => {
    const router = createRouter();
    const schemas = {
      ...REMOTE_CALL_SCHEMAS,
      hangupremoteparticipant: MEDIA_OPERATION_SCHEMAS.hangupremoteparticipant,
    };
    for (const operation of [...REMOTE_CALL_OPERATIONS, 'hangupremoteparticipant'] as const) {
      const schema = schemas[operation];
      const summary = schema.meta()?.description ?? operation;
      const answer = {
        schema: remoteCallAnswerSchema,
        description: 'The command was accepted; results follow by callback',
      };
      const tag = 'Cloud SIP user agent runtime';
      // Media services serve the plain one of what both have.
      const plain = operation === 'hangupremoteparticipant' ? [] : [operation];
      for (const base of ['/mediaservice/{domain}', '/{domain}'])
        for (const word of [...plain, `${operation}jwt`])
          addRelayedRoute(router, gate, relay, {
            operation,
            schema,
            summary,
            answer,
            tag,
            path: `${base}/${word}`,
          });
    }
    return router;
  };
