import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ApiEnv } from '../api.ts';
import { refusal } from '../refusal.ts';

const MIB = 1024 * 1024;

/** 1 MiB of JSON, 10 MiB of CSV; refused by length before reading, or while reading when no length was sent. */
export function bodySize(): MiddlewareHandler<ApiEnv> {
  const json = limit(MIB);
  const csv = limit(10 * MIB);
  return (c, next) => (c.req.header('Content-Type')?.startsWith('text/csv') ? csv(c, next) : json(c, next));
}

const limit = (maxSize: number): MiddlewareHandler<ApiEnv> =>
  bodyLimit({
    maxSize,
    onError: (c) => refusal(c, { code: 'tooLarge', reason: `The body is larger than ${maxSize / MIB} MiB.` }),
  });
