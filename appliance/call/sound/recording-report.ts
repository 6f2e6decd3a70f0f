import { CALLBACK_PATH, type RecordingLine } from '#shared/contract/callback/index.ts';
import type { CallbackCall } from '../../delivery/callback/index.ts';
import type { ShelvedFile, ShelvedRecording, TranscriptLine } from '../../media/recording/index.ts';
import type { Place } from '../../replica/index.ts';

/** Chosen: the words of a callback, characters; an application reads the rest by the record. */
const MOST_CHARS = 50_000;

/** The control plane as a place where the files are fetched; `isReady`: now. */
export interface CloudCopy {
  readonly baseUrl: string;
  readonly isReady: boolean;
}

/** The callbacks about a recording that ended: one callback for each of its files, one for none. */
export function reportsOf(
  entry: ShelvedRecording,
  domain: string,
  place: Pick<Place, 'address' | 'siteId' | 'siteBaseUrl'>,
  cloud?: CloudCopy,
): readonly CallbackCall[] {
  const files: readonly ShelvedFile[] =
    entry.files.length > 0 ? entry.files : [{ fileName: entry.fileName, sizeBytes: 0, sha256: '' }];
  const { traceId, eventSeq = 1 } = entry.report;
  return files.map((file) => {
    const wordsFor = entry.report.words === 'callrecording' ? recorderWords : mediaWords;
    const { path, body: facts } = wordsFor(entry, file, domain, place);
    const named = file.sizeBytes > 0 ? { ...facts, ...addressesOf(file, domain, place, cloud) } : facts;
    const body = { ...named, ...wordsOf(entry) };
    return { traceId, path, headers: {}, body: JSON.stringify(body), eventSeq, shape: 'default' };
  });
}

/** The transcript in the words of the API; absent where no recogniser transcribes recordings. */
function wordsOf({ transcript, speakers }: ShelvedRecording): Readonly<Record<string, unknown>> {
  if (transcript === undefined) return {};
  const lines: RecordingLine[] = [];
  let chars = 0;
  for (const line of transcript.lines) {
    chars += line.text.length;
    if (chars > MOST_CHARS) break;
    lines.push(recordingLine(line, speakers));
  }
  const missed = transcript.missed + transcript.lines.length - lines.length;
  return { transcript: { lines, missed } };
}

/** A line in the words of the API. */
export function recordingLine(
  { channel, offsetMs: offset, durationMs: duration, text, confidence, recogniser }: TranscriptLine,
  speakers: readonly string[] | undefined,
): RecordingLine {
  const speaker = speakers?.[channel];
  return {
    channel,
    ...(speaker !== undefined && { speaker }),
    ...{ offset, duration, text },
    ...(confidence !== undefined && { confidence }),
    ...(recogniser !== undefined && { recogniser }),
  };
}

interface ReportPost {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Where the file is fetched with a token of the tenant: at the site from now on, also without WAN, and at the control plane, which
 * asks the site while it has no copy. `cloudReady` says whether the control plane has the file, or reaches this host, now.
 */
function addressesOf(
  { fileName }: ShelvedFile,
  domain: string,
  { siteBaseUrl }: Pick<Place, 'siteBaseUrl'>,
  cloud: CloudCopy | undefined,
): Readonly<Record<string, string | boolean>> {
  const path = `/mediaservice/${encodeURIComponent(domain)}/promptfile/${encodeURIComponent(fileName)}`;
  return {
    siteUrl: `${siteBaseUrl}${path}`,
    ...(cloud !== undefined && { cloudUrl: `${cloud.baseUrl}${path}` }),
    cloudReady: cloud?.isReady ?? false,
  };
}

/** Document 3, 6: `/recordingReady` of the media service. */
function mediaWords(
  entry: ShelvedRecording,
  file: ShelvedFile,
  domain: string,
  place: Pick<Place, 'address' | 'siteId' | 'siteBaseUrl'>,
): ReportPost {
  const { report, event, reason } = entry;
  const body = {
    ...report.more,
    sessionId: report.sessionId,
    connectionId: report.connectionId,
    recordingFileName: file.fileName,
    fileSize: file.sizeBytes,
    ivrServer: place.address,
    domain,
    event,
    ...(reason !== undefined && { reason }),
    traceId: report.traceId,
    siteId: place.siteId,
    siteBaseUrl: place.siteBaseUrl,
  };
  return { path: CALLBACK_PATH.recordingReady, body };
}

/** Document 3, 6.1, and decisions 5: RECORDINGREADY, RECORDINGFAILED. */
function recorderWords(entry: ShelvedRecording, file: ShelvedFile, domain: string): ReportPost {
  const { report, recordingId, event, reason, durationMs } = entry;
  const whose = { ...report.more, recordingId, sessionId: report.sessionId, domain, traceId: report.traceId };
  if (event !== 'recordingSuccessful' && file.sizeBytes === 0)
    return { path: '/recordingFailed', body: { event: 'RECORDINGFAILED', ...whose, reason } };
  const body = {
    event: 'RECORDINGREADY',
    ...whose,
    fileName: file.fileName,
    fileSize: file.sizeBytes,
    duration: durationMs,
    ...(reason !== undefined && { reason }),
  };
  return { path: CALLBACK_PATH.recordingReady, body };
}
