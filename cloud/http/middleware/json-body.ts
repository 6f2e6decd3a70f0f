import type { MiddlewareHandler } from 'hono';
import { nulPlace } from '#shared/contract/nul.ts';
import { JSON_MOST_DEPTH } from '#shared/contract/provisioning/index.ts';
import type { ApiEnv } from '../routing/api-env.ts';
import { refusal } from '../routing/refusal.ts';
import { jsonFault } from './json-fault.ts';

/** Media types JSON bodies may name; anything else with `json` in it is another format. */
const JSON_TYPES = new Set([
  'application/json',
  'application/json-patch+json',
  'application/merge-patch+json',
]);
/** The first sign of a document that a media type names: a list of operations, or an object that is merged. */
const BEGINS: Readonly<Record<string, { readonly sign: string; readonly what: string }>> = {
  'application/json-patch+json': { sign: '[', what: 'a list of operations' },
  'application/merge-patch+json': { sign: '{', what: 'an object' },
};

const decoder = new TextDecoder('utf-8', { fatal: true });

function utf8Text(bytes: ArrayBuffer): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The form of a JSON body before anybody parses it: named as JSON, in UTF-8, not compressed, not bottomless, without NUL, and
 * of one meaning.
 */
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
    const text = utf8Text(await c.req.arrayBuffer());
    if (text === undefined)
      return refusal(c, {
        code: 'malformed',
        reason:
          'The body cannot be read: it is not UTF-8 (RFC 8259 8.1). Encode it as UTF-8 and send it again.',
      });
    const begins = BEGINS[type];
    if (begins !== undefined && !text.trimStart().startsWith(begins.sign))
      return refusal(c, {
        code: 'invalid',
        reason: `the document: ${type} is ${begins.what}; send one, or name the other media type`,
        path: '',
      });
    const fault = jsonFault(text, JSON_MOST_DEPTH);
    if (fault !== undefined) return refusal(c, { code: 'malformed', reason: fault });
    const nul = nulPlace(text);
    if (nul !== undefined)
      return refusal(c, {
        code: 'invalid',
        reason: `${nul}: must not have the character NUL (U+0000); remove it`,
        path: nul,
      });
    return await next();
  };
  // Most requests have no body, and nothing to wait for.
  return (c, next) =>
    c.req.header('Content-Type') === undefined && c.req.header('Content-Encoding') === undefined
      ? next()
      : looked(c, next);
}
