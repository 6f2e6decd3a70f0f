import type { Operations } from '#shared/client/index.ts';

export type Transcript = Operations['getRecordByDomainByRecordIdTranscript']['answer']['transcript'];
type Words = Transcript['recordings'][number];

/** A line of the page: who said what, and when. */
export interface ShownLine {
  readonly key: string;
  readonly fileName: string;
  /** Absent: nothing is known of the channel but its number. */
  readonly speaker: string | undefined;
  readonly channel: number;
  /** Epoch ms. */
  readonly at: number;
  /** Ms from the begin of the recording. */
  readonly offset: number;
  readonly text: string;
  readonly confidence: number | undefined;
  /** It is being spoken: its text still changes. */
  readonly isPartial: boolean;
}

/** The shown transcript with the news of the stream. Lines that were there before, as after a new connection, are not doubled. */
export function withAdded(before: Transcript | undefined, added: Transcript): Transcript {
  const keyOf = ({ hostId, recordingId }: Words): string => `${hostId} ${recordingId}`;
  const known = new Map((before?.recordings ?? []).map((words) => [keyOf(words), words]));
  for (const words of added.recordings) {
    const lines = [...(known.get(keyOf(words))?.lines ?? []).slice(0, words.first), ...words.lines];
    known.set(keyOf(words), { ...words, first: 0, lines });
  }
  const recordings = [...known.values()].toSorted((a, b) => a.startedAt - b.startedAt);
  return { ...added, recordings };
}

/** The lines of all recordings in order of time; those that are being spoken stand at their place, too. */
export function linesOf({ recordings }: Transcript): readonly ShownLine[] {
  return recordings
    .flatMap(({ recordingId, fileName, startedAt, lines, partials }) => {
      const shown = (
        line: Words['lines'][number] | Words['partials'][number],
        isPartial: boolean,
      ): ShownLine => ({
        key: `${recordingId} ${line.channel} ${line.offset}`,
        ...{ fileName, isPartial, channel: line.channel, speaker: line.speaker },
        ...{ at: startedAt + line.offset, offset: line.offset, text: line.text },
        confidence: 'confidence' in line ? line.confidence : undefined,
      });
      return [...lines.map((line) => shown(line, false)), ...partials.map((line) => shown(line, true))];
    })
    .toSorted((a, b) => a.at - b.at || a.channel - b.channel);
}

/** Utterances that no recogniser has answered. */
export const missedIn = ({ recordings }: Transcript): number =>
  recordings.reduce((sum, { missed }) => sum + missed, 0);
