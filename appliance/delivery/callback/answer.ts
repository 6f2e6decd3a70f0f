import { ALARM_ACTIONS, type AlarmAction } from '#shared/contract/callback/index.ts';
import { type EmergencyCallList, emergencyCallListSchema } from '#shared/contract/provisioning/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { ChainOutcome } from './call.ts';

/**
 * - `unanswered`: no answer came; the reason says why.
 * - `refused`: a status other than 2xx.
 * - `emptyAnswer`, `notJson`, `noAction`, `unknownAction`: the answer does not say what to do.
 */
export type AnswerFailure = Failure<
  'unanswered' | 'refused' | 'emptyAnswer' | 'notJson' | 'noAction' | 'unknownAction'
>;

/** Reads the answer to newAlarmbridgeEvent. Every failure makes the configured fallback act. */
export function alarmAction(outcome: ChainOutcome): Result<AlarmAction, AnswerFailure> {
  if (outcome.kind === 'failed') return fail('unanswered', outcome.reason);
  if (!isSuccess(outcome.status)) return fail('refused', `the receiver answered ${outcome.status}`);
  if (outcome.body.trim() === '') return fail('emptyAnswer', 'the answer is empty');
  let answer: unknown;
  try {
    answer = JSON.parse(outcome.body);
  } catch {
    return fail('notJson', 'the answer is not JSON');
  }
  const action =
    typeof answer === 'object' && answer !== null && 'action' in answer ? answer.action : undefined;
  if (action === undefined) return fail('noAction', 'the answer has no action', '/action');
  const known = ALARM_ACTIONS.find((name) => name === action);
  if (known !== undefined) return ok(known);
  // Only texts are shown: an object nested a hundred thousand deep is JSON, but writing it again throws.
  const shown = typeof action === 'string' ? JSON.stringify(action.slice(0, 100)) : typeof action;
  return fail(
    'unknownAction',
    `the action ${shown} is not known; answer ${ALARM_ACTIONS.join(' or ')}`,
    '/action',
  );
}

/** Whom the application wants to be called instead of what is provisioned. */
export interface NamedPeople {
  readonly emergencyDestination?: string;
  readonly emergencyCallList?: EmergencyCallList;
  /** The list cannot be used: what is provisioned is called, and a person is notified. */
  readonly listFault?: string;
}

/** The people of an answer whose action was read. A list that cannot be read must not cost the call. */
export function namedPeople(outcome: ChainOutcome): NamedPeople {
  if (outcome.kind === 'failed') return {};
  const { emergencyDestination, emergencyCallList: list } = JSON.parse(outcome.body) as Record<
    string,
    unknown
  >;
  const named =
    typeof emergencyDestination === 'string' && emergencyDestination.trim() !== ''
      ? { emergencyDestination }
      : {};
  if (list === undefined) return named;
  const parsed = emergencyCallListSchema.safeParse(list);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = ['emergencyCallList', ...(issue?.path ?? [])].join('/');
    return { ...named, listFault: `/${place}: ${issue?.message}` };
  }
  return named.emergencyDestination === undefined
    ? { listFault: '/emergencyCallList: needs emergencyDestination beside it' }
    : { ...named, emergencyCallList: parsed.data };
}

/** The same outcome as the outbox sees it: 2xx is delivered, whatever the body says. */
export type DeliveryVerdict =
  | { readonly kind: 'delivered'; readonly authIdx: number }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly reason: string;
      readonly retryAfterS?: number;
    }
  | { readonly kind: 'unreached'; readonly reason: string };

export function deliveryVerdict(outcome: ChainOutcome): DeliveryVerdict {
  if (outcome.kind === 'failed') return { kind: 'unreached', reason: `${outcome.code}: ${outcome.reason}` };
  if (isSuccess(outcome.status)) return { kind: 'delivered', authIdx: outcome.credential };
  const hint = outcome.retryAfterS === undefined ? {} : { retryAfterS: outcome.retryAfterS };
  return { kind: 'refused', status: outcome.status, reason: `answered ${outcome.status}`, ...hint };
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
