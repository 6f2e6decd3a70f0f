import { fail, ok, type Result } from '#shared/result.ts';
import type { Call } from '../../store/index.ts';

/** Strong entity tag (RFC 9110 8.8.3) of a stored body, whose members keep their order from write to read. */
export const entityTag = (sha256: (text: string) => string, body: unknown): string =>
  entityTagOfText(sha256, JSON.stringify(body));

/** The same of a body that is its JSON text already. */
export const entityTagOfText = (sha256: (text: string) => string, text: string): string =>
  `"${sha256(text).slice(0, 32)}"`;

/**
 * `If-Match` (RFC 9110 13.1.1): `*` or a list of tags, compared strongly. `current` undefined = nothing is stored.
 * Fails with `preconditionFailed`.
 */
export function checkMatch(call: Call, current: string | undefined): Result<null> {
  const { ifMatch } = call;
  if (ifMatch === undefined) return ok(null);
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  const matches = current !== undefined && (tags.includes('*') || tags.includes(current));
  return matches
    ? ok(null)
    : fail(
        'preconditionFailed',
        'The change is refused: the resource has changed since it was read. Read it again and send its ETag as If-Match.',
      );
}
