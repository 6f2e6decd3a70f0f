import type { z } from '@hono/zod-openapi';
import { errorAnswerSchema } from '#shared/contract/provisioning/index.ts';

const content = <S extends z.ZodType>(schema: S) => ({ 'application/json': { schema } });

const refused = (description: string) => ({ description, content: content(errorAnswerSchema) });

/** What every operation may answer instead of 200. */
const REFUSALS = {
  400: refused('Malformed or invalid; error.path says where'),
  401: refused('No token, or a bad one'),
  403: refused('Another tenant, or a missing role or scope'),
  404: refused('Unknown id or path'),
  409: refused('State conflict'),
  412: refused('If-Match does not fit'),
  413: refused('Too large'),
  415: refused('Wrong media type'),
  429: refused('Too many requests; see Retry-After'),
  500: refused('Defect'),
} as const;

/** 200 with this body, or one of the refusals. */
export const answers = <S extends z.ZodType>(schema: S, description = 'Done') =>
  ({ 200: { description, content: content(schema) }, ...REFUSALS }) as const;

/** A JSON body that must be there. */
export const jsonBody = <S extends z.ZodType>(schema: S) =>
  ({ required: true, content: content(schema) }) as const;

/** RFC 6902; `application/json` is taken for it too. */
export const patchBody = <S extends z.ZodType>(schema: S) =>
  ({
    required: true,
    description: 'JSON Patch (RFC 6902); application/json is accepted as well',
    content: { 'application/json-patch+json': { schema } },
  }) as const;
