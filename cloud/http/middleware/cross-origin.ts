import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { ApiEnv } from '../api.ts';
import type { PathTable } from '../path-table.ts';

/** The headers every answer carries (provisioning document, head). `table` is read when all routes are there. */
export function crossOrigin(table: () => PathTable): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    await next();
    const methods = table().ofPattern(routePath(c, -1)) ?? table().ofPath(c.req.path);
    c.res.headers.set('Access-Control-Allow-Origin', '*');
    c.res.headers.set(
      'Access-Control-Allow-Headers',
      'Authorization, Content-Type, Idempotency-Key, If-Match',
    );
    if (methods !== undefined) c.res.headers.set('Access-Control-Allow-Methods', methods);
  };
}
