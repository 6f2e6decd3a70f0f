import { type CallSound, type LiveTranscript, recordingLine } from '../../call/sound/index.ts';
import type { RecordingStore, ShelvedRecording } from '../../media/recording/index.ts';
import type { KnownWords, WordsRequest } from '../../site/remote/index.ts';

/** The words of recordings that run, and of those on the store, as the control plane asks for them. */
export async function wordsOfRecordings(
  sound: Pick<CallSound, 'transcripts'> | undefined,
  recordingStore: Pick<RecordingStore, 'all'>,
  { recordingIds, fits = () => true }: WordsRequest = {},
): Promise<readonly KnownWords[]> {
  const running = (sound?.transcripts ?? [])
    .filter(({ entry, live }) => fits(entry.startedAtMs, live.lines))
    .map(({ entry, live }) => knownWords(entry, live, true));
  const isRunning = new Set((sound?.transcripts ?? []).map(({ entry }) => entry.recordingId));
  const hasWords = ({ startedAtMs, transcript }: ShelvedRecording): boolean =>
    transcript !== undefined && fits(startedAtMs, transcript.lines);
  const kept = (await recordingStore.all(recordingIds, hasWords)).flatMap((entry) =>
    entry.transcript === undefined || isRunning.has(entry.recordingId)
      ? []
      : [knownWords(entry, { ...entry.transcript, partials: [] }, false)],
  );
  return [...kept, ...running];
}

function knownWords(
  { recordingId, fileName, expected, files, report, startedAtMs, speakers, uploaded }: ShelvedRecording,
  { lines, partials, missed, error }: LiveTranscript,
  running: boolean,
): KnownWords {
  return {
    traceId: report.traceId,
    fileNames: [fileName, ...expected, ...files.map((file) => file.fileName)],
    ...{ recordingId, fileName: files[0]?.fileName ?? fileName, startedAt: startedAtMs, running, uploaded },
    lines: lines.map((line) => recordingLine(line, speakers)),
    partials: partials.map(({ channel, offsetMs: offset, text }) => {
      const speaker = speakers?.[channel];
      return { channel, ...(speaker !== undefined && { speaker }), offset, text };
    }),
    missed,
    ...(error !== undefined && { error }),
  };
}
