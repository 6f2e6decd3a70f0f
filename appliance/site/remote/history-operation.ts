import { REMOTE_ARGS } from '#shared/contract/feed/index.ts';
import type { HistoryTrialArgs } from '#shared/contract/history/index.ts';
import type { Result } from '#shared/result.ts';
import type { RemoteOperation } from '../remote-operation.ts';
import { answerOf, invalid } from './answer.ts';

/** Trials of drafts on the alarms that this host has stored. */
export interface TriedHistory {
  readonly tryDraft: (args: HistoryTrialArgs) => Promise<Result<object>>;
}

/** The question of the cloud which alarms a draft would have changed. */
export const historyOperations = (
  history: TriedHistory,
): Readonly<Record<'history.try', RemoteOperation>> => ({
  'history.try': async ({ args }) => {
    const asked = REMOTE_ARGS['history.try'].safeParse(args);
    if (!asked.success) return invalid('/args is not receivers, from, to and ids');
    return answerOf(await history.tryDraft(asked.data));
  },
});
