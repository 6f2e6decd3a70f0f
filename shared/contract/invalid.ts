import type { z } from 'zod';
import type { Failure } from '../result.ts';

/** What a body, query or payload got wrong: `path` is the JSON pointer (RFC 6901) of the first offence. */
export interface Invalid extends Failure<'invalid'> {
  readonly path: string;
  /** Every offence, in the order of the document. */
  readonly issues: readonly { readonly path: string; readonly reason: string }[];
}

/** The failure value of a refused parse; the HTTP door turns it into status 400. */
export function invalid(error: z.ZodError): Invalid {
  const issues = error.issues.flatMap((issue) => offences(issue, []));
  const first = issues[0] ?? { path: '', reason: 'the document is not valid' };
  const place = first.path === '' ? 'the document' : first.path;
  return { code: 'invalid', reason: `${place}: ${first.reason}`, path: first.path, issues };
}

type Issue = z.core.$ZodIssue;

function offences(issue: Issue, above: readonly PropertyKey[]): { path: string; reason: string }[] {
  const path = [...above, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        path: pointer([...path, key]),
        reason: 'this property is not known here; check its spelling',
      }));
    case 'invalid_union': {
      const branch = issue.errors.toSorted((a, b) => depth(b) - depth(a))[0];
      const nested = branch?.flatMap((inner) => offences(inner, path)) ?? [];
      return nested.length > 0 ? nested : [{ path: pointer(path), reason: issue.message }];
    }
    case 'invalid_key':
      return [{ path: pointer(path), reason: issue.issues[0]?.message ?? issue.message }];
    default:
      return [{ path: pointer(path), reason: issue.message }];
  }
}

/** Of the branches of a union the one that was understood deepest is the one the sender meant. */
function depth(branch: readonly Issue[]): number {
  return Math.max(0, ...branch.map((issue) => issue.path.length));
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
