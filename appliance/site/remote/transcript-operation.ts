import { REMOTE_ARGS } from '#shared/contract/feed/index.ts';
import { type HostTranscript, TRANSCRIPT_PAGE_BYTES } from '#shared/contract/session-record/index.ts';
import type { RemoteOperation } from '../remote-operation.ts';
import { invalid } from './answer.ts';

type HostWords = HostTranscript['recordings'][number];

/** A recording whose words this host has. */
export interface KnownWords extends Omit<HostWords, 'first' | 'total'> {
  readonly traceId: string;
  /** Its files, and the name that was asked for. */
  readonly fileNames: readonly string[];
}

/** Chosen: a session has no more recordings with words in one answer. */
const MOST_RECORDINGS = 16;

/** The words of recordings of this host: of those that run, as far as they are, and of those that are kept. */
export const transcriptOperations = (
  /** The words of recordings that run, and of the others or of these ids alone: a store has thousands of cards. */
  words: (recordingIds?: readonly string[]) => Promise<readonly KnownWords[]>,
): Readonly<Record<string, RemoteOperation>> => ({
  'transcript.get': async ({ args }) => {
    const asked = REMOTE_ARGS['transcript.get'].safeParse(args);
    if (!asked.success) return invalid('/args is not traceId, fileNames and after');
    const { traceId, fileNames, after, live } = asked.data;
    const found = (await words(live ? Object.keys(after) : undefined)).filter(
      (each) => each.traceId === traceId || each.fileNames.some((name) => fileNames.includes(name)),
    );
    return { ok: true, value: { recordings: pageOf(found.slice(0, MOST_RECORDINGS), after) } };
  },
});

/** So many lines of each as one message carries; `total` says whether more follow. */
function pageOf(all: readonly KnownWords[], after: Readonly<Record<string, number>>): HostWords[] {
  let bytes = 0;
  const fits = (line: object): boolean => {
    const before = bytes;
    bytes += Buffer.byteLength(JSON.stringify(line));
    // One line is always sent: it is shorter than a message.
    return before === 0 || bytes <= TRANSCRIPT_PAGE_BYTES;
  };
  return all.map(({ traceId: _, fileNames: __, lines, partials, ...each }) => {
    const first = Math.min(after[each.recordingId] ?? 0, lines.length);
    const rest = lines.slice(first);
    const end = rest.findIndex((line) => !fits(line));
    const shown = end < 0 ? rest : rest.slice(0, end);
    const isWhole = shown.length === rest.length;
    return { ...each, first, lines: shown, total: lines.length, partials: isWhole ? partials : [] };
  });
}
