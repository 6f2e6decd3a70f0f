import type { MiddlewareHandler } from 'hono';
import { type RandomBytes, uuid } from '#shared/id.ts';
import type { ApiEnv } from '../api.ts';
import { beginHead, setHeader } from '../json-text.ts';

/** Names the request in the answer, the audit log and the report of a defect; the caller's own name is kept. */
export function requestId(random: RandomBytes): MiddlewareHandler<ApiEnv> {
  return (c, next) => {
    beginHead(c);
    const given = c.req.header('X-Request-Id');
    const id = given !== undefined && /^[\w.:-]{1,64}$/.test(given) ? given : uuid(random(16));
    c.set('requestId', id);
    setHeader(c, 'X-Request-Id', id);
    return next();
  };
}
