import type { MiddlewareHandler } from 'hono';
import { type RandomBytes, uuid } from '#shared/id.ts';
import type { ApiEnv } from '../routing/api-env.ts';
import { beginHead, setHeader } from '../routing/json-text.ts';

/** The caller's own name for it where that can be passed on, else a new one. */
export const requestIdOf = (given: string | undefined, random: RandomBytes): string =>
  given !== undefined && /^[\w.:-]{1,64}$/.test(given) ? given : uuid(random(16));

/** Names the request in the answer, the audit log and the report of a defect; the caller's own name is kept. */
export function requestId(random: RandomBytes): MiddlewareHandler<ApiEnv> {
  return (c, next) => {
    beginHead(c);
    const id = requestIdOf(c.req.header('X-Request-Id'), random);
    c.set('requestId', id);
    setHeader(c, 'X-Request-Id', id);
    return next();
  };
}
