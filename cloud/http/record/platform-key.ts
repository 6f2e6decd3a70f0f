import { createRoute } from '@hono/zod-openapi';
import {
  PLATFORM_KEY_PATH,
  type PlatformKey,
  platformKeysSchema,
} from '#shared/contract/session-record/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers } from '../routing/operation.ts';
import { recordTags } from './record.ts';

/** Time for which readers may keep the answer: a key is announced to hosts for longer before it signs. */
const KEPT_S = 300;

/** `GET /.well-known/jwks.json`: keys for verifiers of evidence, who have no account. */
export const platformKeyRouter =
  (keys: () => readonly PlatformKey[]) =>
  (gate: Gate): Api => {
    const router = createRouter();
    router.openapi(
      createRoute({
        method: 'get',
        path: PLATFORM_KEY_PATH,
        operationId: 'getPlatformKeys',
        tags: recordTags,
        security: [],
        summary: 'List the public keys of the platform',
        description:
          'JWK set (RFC 7517) for the verification of evidence files. It needs no token. Keys that are no longer in use stay in the list, since evidence outlives them.',
        middleware: gate.open('list'),
        responses: answers(platformKeysSchema),
      }),
      (c) => {
        c.header('Cache-Control', `public, max-age=${KEPT_S}`);
        return c.json({ success: true as const, keys: [...keys()] }, 200);
      },
    );
    return router;
  };
