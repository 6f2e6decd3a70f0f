import type { z } from '@hono/zod-openapi';
import { errorAnswerSchema } from '#shared/contract/provisioning/index.ts';

const content = <S extends z.ZodType>(schema: S) => ({ 'application/json': { schema } });

const refused = (description: string) => ({ description, content: content(errorAnswerSchema) });

/** The answers that every operation may give instead of 200. */
const REFUSALS = {
  400: refused('The request is malformed or invalid; error.path names the place'),
  401: refused('The request has no token, or the token is not valid'),
  403: refused('The token belongs to another tenant, or lacks the role or scope'),
  404: refused('The id or the path does not exist'),
  409: refused('The request conflicts with the state of the resource'),
  412: refused('If-Match does not match the ETag of the resource'),
  413: refused('The body is too large'),
  415: refused('The media type is not supported'),
  429: refused('The rate limit is reached; Retry-After holds the seconds to wait'),
  500: refused('Defect'),
  503: refused('The storage cannot be used now; the request can be sent again'),
  507: refused('The disk of the control plane is full; nothing was stored'),
} as const;

/** 200 with this body, or one of the refusals. */
export const answers = <S extends z.ZodType>(schema: S, description = 'The operation was executed') =>
  ({ 200: { description, content: content(schema) }, ...REFUSALS }) as const;

/** A JSON body that must be there. */
export const jsonBody = <S extends z.ZodType>(schema: S) =>
  ({ required: true, content: content(schema) }) as const;

/** RFC 6902 or RFC 7396: a list is operations, an object is merged; `application/json` is taken for either. */
export const patchBody = <S extends z.ZodType>(schema: S) =>
  ({
    required: true,
    description:
      'JSON Patch (RFC 6902), a list, or JSON Merge Patch (RFC 7396), an object; application/json is accepted for both',
    content: { 'application/json-patch+json': { schema }, 'application/merge-patch+json': { schema } },
  }) as const;
