import type { RecordingDecision } from '#shared/contract/callback/index.ts';

/** What becomes of a recording session. */
export type SessionVerdict =
  | { readonly kind: 'refuse'; readonly status: number; readonly text: string }
  | {
      readonly kind: 'accept';
      readonly record: NonNullable<RecordingDecision['startFileRecording']> | undefined;
      readonly stream: RecordingDecision['startStream'];
    };

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
  return { kind: 'accept', record, stream: startStream };
}
