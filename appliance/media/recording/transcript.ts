/** An utterance on one channel of a recording, as text; times in ms from the beginning of the recording. */
export interface TranscriptLine {
  readonly channel: number;
  readonly offsetMs: number;
  readonly durationMs: number;
  readonly text: string;
  /** 0 to 1; absent: the recogniser gives none. */
  readonly confidence?: number;
  readonly recogniser?: string;
}

/** The words of a recording. They are removed with its card, hence with the recording. */
export interface Transcript {
  /** In the order in which they were recognised. */
  readonly lines: readonly TranscriptLine[];
  /** Utterances that are not in it: no recogniser has answered, or it is full. */
  readonly missed: number;
  /** Why the last of them is missing, one sentence for a person. */
  readonly error?: string;
}
