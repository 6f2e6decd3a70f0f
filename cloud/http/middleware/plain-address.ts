import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../routing/api-env.ts';
import { refusal } from '../routing/refusal.ts';

/** Refuses an address with NUL, in its path or its query: no name and no filter has one, and PostgreSQL takes none. */
export function plainAddress(): MiddlewareHandler<ApiEnv> {
  return (c, next) => {
    const at = c.req.url.indexOf('%00');
    if (at === -1) return next();
    const query = c.req.url.indexOf('?');
    const part = query === -1 || at < query ? 'path' : 'query';
    return Promise.resolve(
      refusal(c, {
        code: 'invalid',
        reason: `The ${part} is refused: it has the character NUL (%00). Remove it.`,
      }),
    );
  };
}
