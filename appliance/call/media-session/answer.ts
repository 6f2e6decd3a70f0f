import {
  type AskedIvrCommand,
  type CallDecision,
  callDecisionSchema,
  commandListFault,
  ivrAnswerSchema,
  ivrCommandSchema,
  MEDIA_ACTIONS,
} from '#shared/contract/callback/index.ts';
import { invalid } from '#shared/contract/invalid.ts';
import type { Answer, BadAnswer } from './state/session-input.ts';

type Invalid = Parameters<typeof invalid>[0];

/** How a live request ended. */
export type Outcome =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** The errors of an alarm for each way in which a decision can be none (decisions 5). */
const ERRORS = {
  newCall: {
    none: 'newCall request failed',
    empty: 'newCall response empty',
    noAction: 'newCall response without action',
    unknownAction: 'newCall response with unknown action',
  },
  callEvent: {
    none: 'No response to callEvent request',
    empty: 'No action provided in callEvent response',
    noAction: 'No action provided in callEvent response',
    unknownAction: 'callEvent response with unknown action',
  },
} as const;

const unreached = (error: string, reason: string, status?: number): BadAnswer => ({
  kind: 'unreached',
  error,
  reason,
  ...(status !== undefined && { status }),
});
const unfit = (error: string, reason: string): BadAnswer => ({ kind: 'unfit', error, reason });

/** The answer to newCall or callEvent. An action we know with fields that cannot be is an unknown one. */
export function readDecision(of: 'newCall' | 'callEvent', outcome: Outcome): Answer<CallDecision> {
  const { none, empty, noAction, unknownAction } = ERRORS[of];
  if (outcome.kind === 'failed') return unreached(none, outcome.reason);
  if (!isSuccess(outcome.status))
    return unreached(none, `the application answered ${outcome.status}`, outcome.status);
  if (outcome.body.trim() === '') return unfit(empty, 'the answer has no body');
  const said = objectOf(outcome.body);
  if (said === undefined) return unfit(noAction, 'the answer is no JSON object');
  if (Object.keys(said).length === 0) return unfit(empty, 'the answer says nothing');
  const { action } = said;
  if (action === undefined) return unfit(noAction, 'the answer has no action');
  if (!MEDIA_ACTIONS.some((each) => each === action)) {
    const shown = typeof action === 'string' ? JSON.stringify(action.slice(0, 100)) : typeof action;
    return unfit(unknownAction, `the action ${shown} is not known; answer ${MEDIA_ACTIONS.join(', ')}`);
  }
  const read = callDecisionSchema.safeParse(said);
  return read.success ? { kind: 'good', value: read.data } : unfit(unknownAction, invalid(read.error).reason);
}

/** The answer to getIvrCommand. `{}` is a command: nothing is to be done. One command is a list of one. */
export function readCommand(outcome: Outcome): Answer<readonly AskedIvrCommand[]> {
  const error = 'getIvrCommand request error';
  if (outcome.kind === 'failed') return unreached(error, outcome.reason);
  if (!isSuccess(outcome.status))
    return unreached(error, `the application answered ${outcome.status}`, outcome.status);
  if (outcome.body.trim() === '')
    return unfit('Empty body in getIvrCommand response', 'the answer has no body');
  const said = objectOf(outcome.body) ?? listOf(outcome.body);
  if (said === undefined) return unfit('IVR command failed', 'the answer is no JSON object');
  const read = ivrAnswerSchema.safeParse(said);
  if (!read.success) return unfit('IVR command failed', reasonOf(said, read.error));
  const list = Array.isArray(read.data) ? read.data : [read.data];
  const fault = commandListFault(list);
  return fault === undefined
    ? { kind: 'good', value: list }
    : unfit('IVR command failed', `${fault.path}: ${fault.reason}`);
}

/** The fault of the form that the answer has: a union alone would say that neither fits. */
function reasonOf(said: unknown, error: Invalid): string {
  if (!Array.isArray(said)) return reasonIn(ivrCommandSchema.safeParse(said).error ?? error);
  const index = said.findIndex((each) => !ivrCommandSchema.safeParse(each).success);
  const fault = ivrCommandSchema.safeParse(said[index]).error;
  return fault === undefined ? 'a list has 1 to 100 commands' : `command ${index}: ${reasonIn(fault)}`;
}

const reasonIn = (error: Invalid): string => invalid(error).reason;

function listOf(body: string): readonly unknown[] | undefined {
  try {
    const said: unknown = JSON.parse(body);
    return Array.isArray(said) ? said : undefined;
  } catch {
    return undefined;
  }
}

function objectOf(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const said: unknown = JSON.parse(body);
    return typeof said === 'object' && said !== null && !Array.isArray(said)
      ? (said as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
