import type { RecordingDecision } from '#shared/contract/callback/index.ts';

/** The decision about a recording session. */
export type SessionVerdict =
  | { readonly kind: 'refuse'; readonly status: number; readonly text: string }
  | {
      readonly kind: 'accept';
      readonly record: NonNullable<RecordingDecision['startFileRecording']> | undefined;
      readonly stream: RecordingDecision['startStream'];
      /** Nothing is recorded or sent, and the application did not ask to wait: one sentence that says so. */
      readonly idle?: string;
    };

const NOTHING_DECIDED =
  'nothing is recorded: the answer of newCall names no startFileRecording, startStream or wait. Send a command, or answer newCall with one of them.';

/**
 * The answer of newCall (document 3, 6.1). `drop` goes before everything; `recordCall` is the older way: true answers and
 * records, false rejects. `wait` answers and starts nothing; so does an answer that names nothing at all.
 *
 * Chosen: 603 for an application that does not want the session.
 */
export function verdictOf(decision: RecordingDecision): SessionVerdict {
  const { drop, recordCall, startFileRecording, startStream } = decision;
  if (drop === true || recordCall === false)
    return { kind: 'refuse', status: 603, text: 'the application declines the recording session' };
  const record = startFileRecording ?? (recordCall === true ? {} : undefined);
  const idle = record === undefined && startStream === undefined && decision.wait !== true;
  return { kind: 'accept', record, stream: startStream, ...(idle && { idle: NOTHING_DECIDED }) };
}
