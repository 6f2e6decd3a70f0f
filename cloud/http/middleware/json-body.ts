import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../api.ts';
import { refusal } from '../refusal.ts';

/** Media types JSON bodies may name; anything else with `json` in it is somebody's own format. */
const JSON_TYPES = new Set(['application/json', 'application/json-patch+json']);

/** Deepest nesting of a body. Whatever walks a document walks it recursively; deeper is no configuration but an attack. */
const DEEPEST = 64;

/** What a JSON body must be before anybody parses it: named as JSON, not encoded, not bottomless. */
export function jsonBodyForm(): MiddlewareHandler<ApiEnv> {
  const looked: MiddlewareHandler<ApiEnv> = async (c, next) => {
    if (c.req.header('Content-Encoding') !== undefined)
      return refusal(c, { code: 'unsupportedMediaType', reason: 'Send the body without Content-Encoding.' });
    const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase();
    if (!type?.includes('json')) return await next();
    if (!JSON_TYPES.has(type))
      return refusal(c, {
        code: 'unsupportedMediaType',
        reason: `${type} is not understood; send application/json.`,
      });
    // The text is kept by the request and parsed from there later.
    if (isDeeper(await c.req.text(), DEEPEST))
      return refusal(c, { code: 'malformed', reason: `The body is nested deeper than ${DEEPEST}.` });
    return await next();
  };
  // Most requests have no body, and nothing to wait for.
  return (c, next) =>
    c.req.header('Content-Type') === undefined && c.req.header('Content-Encoding') === undefined
      ? next()
      : looked(c, next);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether brackets outside strings nest deeper than `limit`. Any text is an answer; what is no JSON is refused later. */
function isDeeper(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (inString) {
      if (sign === BACKSLASH) at += 1;
      else if (sign === QUOTE) inString = false;
    } else if (sign === QUOTE) inString = true;
    else if (sign === 0x5b || sign === 0x7b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (sign === 0x5d || sign === 0x7d) depth -= 1;
  }
  return false;
}
