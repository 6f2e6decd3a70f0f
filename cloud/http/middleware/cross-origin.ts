import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { ApiEnv } from '../routing/api-env.ts';
import { setHeader } from '../routing/json-text.ts';
import type { PathTable } from '../routing/path-table.ts';

export const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-Match';

/**
 * The headers every answer carries (provisioning document, head). `table` is read when all routes are there.
 *
 * Deviation: the document lists Access-Control-Allow-Origin alone for /currentuser. A browser would then refuse to send
 * the token and to write the profile for an application of another origin, so these paths have all three headers too.
 */
export function crossOrigin(table: () => PathTable): MiddlewareHandler<ApiEnv> {
  return (c, next) => {
    // Before the answer is made: headers of a finished one are costly to change.
    const methods = table().ofPattern(routePath(c, -1)) ?? table().ofPath(c.req.path);
    setHeader(c, 'Access-Control-Allow-Origin', '*');
    setHeader(c, 'Access-Control-Allow-Headers', ALLOWED_HEADERS);
    if (methods !== undefined) setHeader(c, 'Access-Control-Allow-Methods', methods);
    return next();
  };
}
