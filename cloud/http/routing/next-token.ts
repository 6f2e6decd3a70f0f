import { fail, ok, type Result } from '#shared/result.ts';

/**
 * Continuation of a list behind the entry `id`: opaque to callers, so that what it stands for may change. Nothing on the
 * last page.
 */
export const continuedAt = (id: string | undefined): { nextToken?: string } =>
  id === undefined ? {} : { nextToken: Buffer.from(JSON.stringify([1, id]), 'utf8').toString('base64url') };

/** The id after which the page begins; empty without a token. Fails with `invalid` for anything not given by a list. */
export function afterOf(token: string | undefined): Result<string> {
  if (token === undefined) return ok('');
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    // No id holds a NUL, and PostgreSQL takes none in a text.
    if (
      Array.isArray(parsed) &&
      parsed[0] === 1 &&
      typeof parsed[1] === 'string' &&
      !parsed[1].includes('\0')
    )
      return ok(parsed[1]);
  } catch {
    // Not JSON: the same answer as for any other text that no list has given.
  }
  return fail('invalid', '/nextToken: must be the nextToken of a previous page of this list', '/nextToken');
}
