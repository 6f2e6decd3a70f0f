import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { JSON_MOST_BYTES } from '#shared/contract/provisioning/index.ts';
import type { ApiEnv } from '../routing/api-env.ts';
import { refusal } from '../routing/refusal.ts';

const MIB = 1024 * 1024;

/** 1 MiB of JSON, 10 MiB of CSV, 50 MiB of sound; refused by length before reading, or while reading when no length was sent. */
export function bodySize(): MiddlewareHandler<ApiEnv> {
  const json = limit(JSON_MOST_BYTES);
  const csv = limit(10 * MIB);
  const audio = limit(50 * MIB);
  return (c, next) => {
    const type = c.req.header('Content-Type') ?? '';
    if (type.startsWith('text/csv')) return csv(c, next);
    return type.startsWith('audio/') || type.startsWith('application/octet-stream')
      ? audio(c, next)
      : json(c, next);
  };
}

function limit(maxSize: number): MiddlewareHandler<ApiEnv> {
  const tooLarge = (c: Context<ApiEnv>) => {
    // The unread rest of the body is still under way: the connection cannot carry another request.
    c.header('Connection', 'close');
    return refusal(c, {
      code: 'tooLarge',
      reason: `The body is refused: it is larger than ${maxSize / MIB} MiB. Send less in one request.`,
    });
  };
  const counted = bodyLimit({ maxSize, onError: tooLarge });
  return (c, next) => {
    // Counting means to take the body as a stream, which is costly: only where no length was sent (RFC 9112 6.3).
    if (c.req.header('Transfer-Encoding') !== undefined) return counted(c, next);
    const length = c.req.header('Content-Length');
    if (length === undefined && c.req.method !== 'GET' && c.req.method !== 'HEAD') return counted(c, next);
    return Number(length ?? 0) > maxSize ? Promise.resolve(tooLarge(c)) : next();
  };
}
