import type { Context } from 'hono';
import type { Result } from '#shared/result.ts';
import { refusal } from './refusal.ts';

/** The answer to a write: the new tag as a header, the rest of the result beside `named` in the body. */
export function answerStored<Stored extends { readonly etag: string }, Named extends object = object>(
  c: Context,
  result: Result<Stored>,
  named?: Named,
) {
  if (!result.ok) return refusal(c, result.error);
  const { etag, ...shown } = result.value;
  c.header('ETag', etag);
  return c.json(
    { success: true as const, ...named, ...shown } as { success: true } & Named & Omit<Stored, 'etag'>,
    200,
  );
}
