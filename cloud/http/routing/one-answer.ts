import type { Context } from 'hono';
import type { Failure, Result } from '#shared/result.ts';
import { refusal } from './refusal.ts';

/** One thing as every route answers it (`oneAnswer`): `{success, <name>: {…}}`, or why there is none. */
export function answerOne<const Name extends string, T>(c: Context, name: Name, result: Result<T, Failure>) {
  if (!result.ok) return refusal(c, result.error);
  const one = { [name]: result.value } as { [key in Name]: T };
  return c.json({ success: true as const, ...one }, 200);
}
