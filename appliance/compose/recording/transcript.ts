import { type CallSound, type LiveTranscript, recordingLine } from '../../call/sound/index.ts';
import type { RecordingStore, ShelvedRecording } from '../../media/recording/index.ts';
import type { KnownWords } from '../../site/remote/index.ts';

/** The words of recordings that run, and of those on the store or of these ids alone, as the control plane asks for them. */
export async function wordsOfRecordings(
  sound: Pick<CallSound, 'transcripts'> | undefined,
  recordingStore: Pick<RecordingStore, 'all'>,
  recordingIds?: readonly string[],
): Promise<readonly KnownWords[]> {
  const running = (sound?.transcripts ?? []).map(({ entry, live }) => knownWords(entry, live, true));
  const isRunning = new Set(running.map(({ recordingId }) => recordingId));
  const kept = (await recordingStore.all(recordingIds)).flatMap((entry) =>
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
