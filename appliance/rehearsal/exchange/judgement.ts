import type { Failure, Result } from '#shared/result.ts';
import { alarmAction } from '../../delivery/callback/index.ts';
import type { Expectation } from '../situation/index.ts';

/** One answer of the application. */
export interface Exchange {
  readonly answer: Result<{ readonly status: number; readonly body: string }, Failure<string>>;
  /** From the request to the end of the answer, ms. */
  readonly tookMs: number;
}

/** The first fault among the answers to the requests of a step, as half a sentence; undefined: there is none. */
export function faultOf(
  expects: Expectation,
  exchanges: readonly Exchange[],
  timeoutMs: number,
): string | undefined {
  if (exchanges.length === 0) return 'got no request that it could answer';
  for (const exchange of exchanges) {
    const fault = JUDGES[expects](exchange, timeoutMs);
    if (fault !== undefined) return fault;
  }
  return expects === 'sameAnswer' ? difference(exchanges) : undefined;
}

type Judge = (exchange: Exchange, timeoutMs: number) => string | undefined;

const taken: Judge = ({ answer }) => {
  if (!answer.ok) return `gave no answer: ${answer.error.reason}`;
  return isSuccess(answer.value.status) ? undefined : answered(answer.value);
};

/** By the function with which the appliance reads the answer of a live callback. */
const decision: Judge = ({ answer }) => {
  if (!answer.ok) return `gave no answer: ${answer.error.reason}`;
  const { status, body } = answer.value;
  if (!isSuccess(status)) return answered(answer.value);
  const action = alarmAction({ kind: 'answered', status, body, credential: 0 });
  return action.ok ? undefined : `answered ${status}, but ${action.error.reason}`;
};

const promptDecision: Judge = (exchange, timeoutMs) =>
  decision(exchange, timeoutMs) ??
  (exchange.tookMs <= timeoutMs / 2
    ? undefined
    : `took ${Math.round(exchange.tookMs)} ms; half of callbackTimeout is ${timeoutMs / 2} ms`);

const refusal: Judge = ({ answer }) => {
  if (!answer.ok) return `gave no answer: ${answer.error.reason}`;
  const { status } = answer.value;
  if (status === 401 || status === 403) return undefined;
  return isSuccess(status) ? `took the callback (${status})` : answered(answer.value);
};

const JUDGES: Readonly<Record<Expectation, Judge>> = {
  ...{ decision, promptDecision, taken, refusal },
  sameAnswer: taken,
};

function difference(exchanges: readonly Exchange[]): string | undefined {
  const [first, ...others] = exchanges.map(({ answer }) => (answer.ok ? textOf(answer.value) : ''));
  if (others.length === 0) return 'got the callback once only';
  const other = others.find((text) => text !== first);
  return other === undefined ? undefined : `answered ${first} first, and ${other} to the repeat`;
}

const textOf = ({ status, body }: { status: number; body: string }): string => `${status} ${shown(body)}`;
const answered = (answer: { status: number; body: string }): string => `answered ${textOf(answer)}`.trimEnd();
const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const SHOWN = 200;
const shown = (body: string): string => body.replace(/\s+/g, ' ').trim().slice(0, SHOWN);
