import type { MiddlewareHandler } from 'hono';
import { JSON_MOST_DEPTH } from '#shared/contract/provisioning/index.ts';
import type { ApiEnv } from '../routing/api-env.ts';
import { refusal } from '../routing/refusal.ts';
import { jsonFault } from './json-fault.ts';

/** Media types JSON bodies may name; anything else with `json` in it is somebody's own format. */
const JSON_TYPES = new Set(['application/json', 'application/json-patch+json']);

/** What a JSON body must be before anybody parses it: named as JSON, not encoded, not bottomless, and of one meaning. */
export function jsonBodyForm(): MiddlewareHandler<ApiEnv> {
  const looked: MiddlewareHandler<ApiEnv> = async (c, next) => {
    if (c.req.header('Content-Encoding') !== undefined)
      return refusal(c, {
        code: 'unsupportedMediaType',
        reason: 'The body cannot be read: Content-Encoding is not supported. Send the body without it.',
      });
    const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase();
    if (!type?.includes('json')) return await next();
    if (!JSON_TYPES.has(type))
      return refusal(c, {
        code: 'unsupportedMediaType',
        reason: `The body cannot be read: the media type ${type} is not supported. Send application/json.`,
      });
    // The text is kept by the request and parsed from there later.
    const fault = jsonFault(await c.req.text(), JSON_MOST_DEPTH);
    if (fault !== undefined) return refusal(c, { code: 'malformed', reason: fault });
    return await next();
  };
  // Most requests have no body, and nothing to wait for.
  return (c, next) =>
    c.req.header('Content-Type') === undefined && c.req.header('Content-Encoding') === undefined
      ? next()
      : looked(c, next);
}
