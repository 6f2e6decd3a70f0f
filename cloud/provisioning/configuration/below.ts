import type { Offence } from '#shared/contract/invalid.ts';
import type { Failure } from '#shared/result.ts';

interface LocatedFailure extends Failure {
  readonly issues?: readonly Offence[];
}

/** The failure of a part of a document, with the place of the part: every pointer in it begins with `place`. */
export function below(place: string, failure: LocatedFailure): { ok: false; error: Failure } {
  const { path = '', reason, issues, ...rest } = failure;
  const said = path === '' || !reason.startsWith(path) ? `: ${reason}` : reason.slice(path.length);
  const whole = {
    ...rest,
    path: `${place}${path}`,
    reason: `${place}${path}${said}`,
    ...(issues === undefined
      ? {}
      : { issues: issues.map((issue) => ({ ...issue, path: `${place}${issue.path}` })) }),
  };
  return { ok: false, error: whole };
}
