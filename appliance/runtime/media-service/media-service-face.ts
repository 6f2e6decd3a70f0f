import type { MediaRequest } from '#shared/contract/runtime/index.ts';
import type { Failure, Result } from '#shared/result.ts';

/** What createconferenceconnection and placeivrcall made; nothing of the others. */
export interface OperationGain {
  readonly connectionId?: string;
  readonly sessionId?: string;
  readonly participantId?: string;
}

export type OperationOutcome = Result<
  OperationGain,
  Failure<'participantUnknown' | 'connectionUnknown' | 'conflict' | 'invalid'>
>;

/** The calls of media services on this host, as operations reach them. */
export interface RunningCalls {
  /** Undefined: no such session runs here. `session` and `refers` as the replyId says, where there is one. */
  readonly operate: (
    request: MediaRequest,
    reply: { readonly session: string; readonly refers: string } | undefined,
  ) => Promise<OperationOutcome> | undefined;
}
