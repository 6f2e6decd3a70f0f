import type { z } from 'zod';
import type { Failure } from '../result.ts';

/** One offence. `path` is a JSON pointer (RFC 6901). */
export interface Offence {
  readonly path: string;
  readonly reason: string;
  /** The position of the fault in a user pattern, in UTF-16 units. */
  readonly position?: number;
}

/** Offences an answer names: a body of 1 MiB can hold 100,000, and nothing answers with more than was sent. */
const MOST_OFFENCES = 50;
const MOST_POINTER = 1_024;
const MOST_REASON = 500;

/** The faults of a body, query or payload; path, reason and position are those of the first of at most 50 offences. */
export interface Invalid extends Failure<'invalid'>, Offence {
  readonly path: string;
  readonly issues: readonly Offence[];
}

/** The failure value of a refused parse; the HTTP route turns it into status 400. */
export function invalid(error: z.ZodError): Invalid {
  const found = error.issues.slice(0, MOST_OFFENCES).flatMap((issue) => offences(issue, []));
  const issues = found.slice(0, MOST_OFFENCES).map((offence) => ({
    ...offence,
    reason: shortened(offence.reason, MOST_REASON),
  }));
  const first: Offence = issues[0] ?? { path: '', reason: 'the document is not valid' };
  const place = first.path === '' ? 'the document' : first.path;
  return { ...first, code: 'invalid', reason: `${place}: ${first.reason}`, issues };
}

type Issue = z.core.$ZodIssue;

function offences(issue: Issue, above: readonly PropertyKey[]): Offence[] {
  const path = [...above, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.slice(0, MOST_OFFENCES).map((key) => ({
        path: pointer([...path, key]),
        reason: 'this property is not known; check its spelling',
      }));
    case 'invalid_union': {
      const branch = issue.errors.toSorted((a, b) => depth(b) - depth(a))[0];
      const nested = branch?.slice(0, MOST_OFFENCES).flatMap((inner) => offences(inner, path)) ?? [];
      return nested.length > 0 ? nested : [{ path: pointer(path), reason: issue.message }];
    }
    case 'invalid_key':
      return [{ path: pointer(path), reason: issue.issues[0]?.message ?? issue.message }];
    case 'custom': {
      const position: unknown = issue.params?.position;
      const offence = { path: pointer(path), reason: issue.message };
      return [typeof position === 'number' ? { ...offence, position } : offence];
    }
    default:
      return [{ path: pointer(path), reason: issue.message }];
  }
}

/** The branch of a union that was understood deepest is the one the sender meant. */
function depth(branch: readonly Issue[]): number {
  return Math.max(0, ...branch.map((issue) => issue.path.length));
}

function pointer(path: readonly PropertyKey[]): string {
  const steps = path.map((part) =>
    shortened(String(part), MOST_POINTER).replaceAll('~', '~0').replaceAll('/', '~1'),
  );
  return shortened(steps.map((step) => `/${step}`).join(''), MOST_POINTER);
}

const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}…`;
