import type { Context } from 'hono';
import { ok, type Result } from '#shared/result.ts';
import { afterOf, continuedAt } from './next-token.ts';
import { refusal } from './refusal.ts';

/** A page of a list: its entries, and the id after which the rest begins. */
interface Page<T, More extends object> {
  readonly items: readonly T[];
  readonly next?: string | undefined;
  /** Further members of the answer. */
  readonly more?: More;
}

/** Where a caller is in a list. */
interface Asked {
  readonly limit: number;
  readonly nextToken?: string | undefined;
}

/** One page as every list answers it: `{success, <name>: […], nextToken}`. A list may refuse what it is asked. */
export async function answerPage<const Name extends string, T, More extends object = object>(
  c: Context,
  name: Name,
  { limit, nextToken }: Asked,
  read: (after: string, limit: number) => Promise<Page<T, More> | Result<Page<T, More>>>,
) {
  const after = afterOf(nextToken);
  if (!after.ok) return refusal(c, after.error);
  const given = await read(after.value, limit);
  const page = 'ok' in given ? given : ok(given);
  if (!page.ok) return refusal(c, page.error);
  const { items, next, more } = page.value;
  const rest: Partial<More> = more ?? {};
  const list = { [name]: [...items] } as { [key in Name]: T[] };
  return c.json({ success: true as const, ...list, ...continuedAt(next), ...rest }, 200);
}
