import type { Context } from 'hono';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { ApiEnv, HttpCall } from '../routing/api-env.ts';
import { REFUSAL_STATUS, type RefusalStatus, refusal } from '../routing/refusal.ts';

/** The person who asks. */
export interface PersonRequest {
  readonly call: HttpCall;
  readonly personId: string;
}

/** Statuses of a host that this interface has, too; its others are a host that could not do it. */
export const asOurs = (status: number): RefusalStatus =>
  [400, 401, 403, 404, 409, 413, 503].includes(status) ? (status as RefusalStatus) : 503;

/** A failure; with the status of the host, where the host has refused. */
export type HostFailure = Failure & { readonly status?: number };

/** A key takes no alarm, and no browser is its own: people answer alarms. */
const personRequest = (c: Context<ApiEnv>): Result<PersonRequest> => {
  const { personId } = c.var.principal;
  return personId === undefined
    ? fail(
        'forbidden',
        'The request is refused: only a person answers alarms, and the key belongs to a program. Sign in.',
      )
    : ok({ call: c.var.call, personId });
};

/** A failure with the status of the host, where the host has refused. */
function refused(c: Context, { status, ...failure }: HostFailure) {
  return refusal(c, failure, REFUSAL_STATUS[failure.code] === undefined ? asOurs(status ?? 400) : undefined);
}

/** Answers the request of a person: `act` carries it out, `said` is the answer of what came of it. */
export async function answerPerson<Value, Answer>(
  c: Context<ApiEnv>,
  act: (request: PersonRequest) => Promise<Result<Value, HostFailure>>,
  said: (value: Value) => Answer,
) {
  const request = personRequest(c);
  if (!request.ok) return refusal(c, request.error);
  const done = await act(request.value);
  return done.ok ? said(done.value) : refused(c, done.error);
}
