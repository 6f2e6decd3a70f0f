/** Name of a stored recording that was given none: `<date>-<recordingId>.mp3` (document 3, 4.3), the date in UTC. */
export const storedName = (recordingId: string, startedAtMs: number): string =>
  `${new Date(startedAtMs).toISOString().slice(0, 10)}-${recordingId}.mp3`;

/** Name of a recording in temporary storage. Chosen: WAV, so that storing can cut and silence it without loss. */
export const temporaryName = (recordingId: string): string => `callrecording/${recordingId}.wav`;
