import { type Step, timelineOf, toneRow } from './lane.ts';

/** A moment within a recording. */
export interface RecordingMark {
  /** Milliseconds since the begin of the recording. */
  readonly atMs: number;
  readonly kind: string;
  /** Digits of tones; empty for a step of another kind. */
  readonly tones: string;
}

/** Steps that a person looks for while she listens. */
const MARKED: ReadonlySet<string> = new Set([
  ...['toneHeard', 'tonePlayed', 'voiceJoined', 'callbackAnswered', 'deviceCommand'],
]);

/** Milliseconds from the first step of the session to the begin of this recording; undefined: no step says it. */
export function recordingBegin(steps: readonly Step[], fileName: string): number | undefined {
  const first = steps[0]?.at;
  const begun = steps.find(({ kind, detail }) => kind === 'recorded' && detail.fileName === fileName)?.at;
  return first === undefined || begun === undefined ? undefined : begun - first;
}

/** The marks of a recording that begins `beginMs` after the first step and lasts `lengthMs`. */
export const marksOf = (
  steps: readonly Step[],
  beginMs: number,
  lengthMs: number,
): readonly RecordingMark[] =>
  timelineOf(steps)
    .filter(({ step }) => MARKED.has(step.kind))
    .map(({ step, tones, atMs }) => ({
      ...{ atMs: atMs - beginMs, kind: step.kind },
      tones: tones.length > 0 ? toneRow(tones).text : '',
    }))
    .filter(({ atMs }) => atMs >= 0 && atMs <= lengthMs);
