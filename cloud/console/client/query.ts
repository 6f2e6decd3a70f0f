import { QueryClient, type QueryObserverOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { CallFailure, Input, OperationName, Operations } from '#shared/client/index.ts';
import { api } from './api.ts';

/** The API refused a question or was not reached: `message` says why, in its words. */
class QueryFailure extends Error {
  readonly failure: CallFailure;

  constructor(failure: CallFailure) {
    super(failure.reason);
    this.failure = failure;
  }
}

/** Answers of the API, shared by the parts of a page; a failed question leaves the last answer in place. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal stays one; a lost network is tried again by the page that is looked at.
      retry: (count, cause) =>
        count < 2 && cause instanceof QueryFailure && cause.failure.status === undefined,
    },
  },
});

/** Asks an operation of the API, rejects with `QueryFailure`. */
async function ask<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
): Promise<Operations[Name]['answer']> {
  const answer = await api.call(name, input);
  if (!answer.ok) throw new QueryFailure(answer.error);
  return answer.value;
}

interface AnswerOptions {
  /** Asked again as long as the page is looked at. */
  readonly everyMs?: number;
  /** An answer of that age is good. */
  readonly staleMs?: number;
  readonly enabled?: boolean;
  /** A new answer is not compared with the last one, part by part, which takes tens of milliseconds of 10,000 hosts. */
  readonly isLarge?: boolean;
}

/** The question for an answer of an operation, as the cache takes it. */
export const answerOf = <Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  { everyMs, staleMs, enabled = true, isLarge = false }: AnswerOptions = {},
): QueryObserverOptions<Operations[Name]['answer'], QueryFailure> => ({
  queryKey: [name, input],
  queryFn: () => ask(name, input),
  enabled,
  structuralSharing: !isLarge,
  ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  ...(staleMs === undefined ? {} : { staleTime: staleMs }),
});

/** The answer of an operation, for a component. */
export const useAnswer = <Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  options?: AnswerOptions,
): UseQueryResult<Operations[Name]['answer'], QueryFailure> => useQuery(answerOf(name, input, options));
