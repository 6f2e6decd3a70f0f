import type { CallListTest } from '#shared/contract/alarm-queue/index.ts';
import { REMOTE_ARGS } from '#shared/contract/feed/index.ts';
import type { Failure, Result } from '#shared/result.ts';
import type { RemoteOperation } from '../remote-operation.ts';
import { answerOf, invalid } from './answer.ts';

/** Test calls of emergency lists at this host. */
export interface TestedLists {
  readonly ask: (asked: CallListTest) => Result<object, Failure>;
}

/** The request of the cloud to begin a test call of an emergency list, or to say where it is. */
export const listOperations = (tests: TestedLists): Readonly<Record<'list.test', RemoteOperation>> => ({
  'list.test': ({ args }) => {
    const asked = REMOTE_ARGS['list.test'].safeParse(args);
    if (!asked.success) return invalid('/args is not entity, id and test');
    return answerOf(tests.ask(asked.data));
  },
});
