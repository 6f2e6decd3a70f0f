import {
  mediaSessionAnswerSchema,
  mediaSessionAskSchema,
  mediaSessionListSchema,
  mediaSessionQuerySchema,
  SESSIONS,
} from '#shared/contract/runtime/index.ts';
import type { RuntimeRelay } from '../../site/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { domainParam } from '../routing/param.ts';
import { addRelayedReading } from './alarm-call.ts';

/**
 * Running sessions of media services, asked of every host of the tenant, or of the one that has the session. Chosen: whoever may command
 * calls sees them, since numbers are whole and each entry has a replyId.
 */
export const mediaSessionRouter =
  (relay: RuntimeRelay) =>
  (gate: Gate): Api => {
    const router = createRouter();
    const path = '/mediaservice/{domain}/session';
    const shared = { operation: SESSIONS, tag: 'Media service runtime' } as const;
    addRelayedReading(router, gate, relay, {
      ...shared,
      path,
      summary: 'List running sessions of media services',
      asked: { query: mediaSessionQuerySchema },
      answer: { schema: mediaSessionListSchema, description: 'Running sessions, in the order of sessionId' },
    });
    addRelayedReading(router, gate, relay, {
      ...shared,
      path: `${path}/{sessionId}`,
      summary: 'Show a running session with its participants and connections',
      asked: { params: domainParam.extend({ sessionId: sessionIdField }) },
      answer: { schema: mediaSessionAnswerSchema, description: 'The session' },
    });
    return router;
  };

const sessionIdField = mediaSessionAskSchema.shape.sessionId.unwrap().meta({
  description: 'Session',
  example: '01j9z3n6t2v4q8w5x7y1b3c5d7',
});
