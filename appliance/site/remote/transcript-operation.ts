import { REMOTE_ARGS } from '#shared/contract/feed/index.ts';
import {
  type HostTranscript,
  type HostTranscriptMatches,
  TRANSCRIPT_PAGE_BYTES,
} from '#shared/contract/session-record/index.ts';
import { saysAll, searchWords } from '../../media/recording/index.ts';
import type { RemoteOperation } from '../remote-operation.ts';
import { invalid } from './answer.ts';

type HostWords = HostTranscript['recordings'][number];

/** A recording whose words this host has. */
export interface KnownWords extends Omit<HostWords, 'first' | 'total'> {
  readonly traceId: string;
  /** Its files, and the name that was asked for. */
  readonly fileNames: readonly string[];
}

/** The recordings that are meant: a store has thousands of cards. */
export interface WordsRequest {
  /** Those of the store with these ids, beside those that run; absent: all. */
  readonly recordingIds?: readonly string[];
  /** Those of which this is true alone, by the begin (epoch ms) and the lines. */
  readonly fits?: (startedAtMs: number, lines: readonly { readonly text: string }[]) => boolean;
}

/** Chosen: a session has no more recordings with words in one answer. */
const MOST_RECORDINGS = 16;

/** Chosen: each search reads every card of the store: one at a time, and no more than this wait for their turn. */
const MOST_WAITING = 4;

/** The words of recordings of this host: of those that run, as far as they are, and of those that are kept. */
export function transcriptOperations(
  words: (request: WordsRequest) => Promise<readonly KnownWords[]>,
): Readonly<Record<string, RemoteOperation>> {
  let searching: Promise<unknown> = Promise.resolve();
  let open = 0;
  return {
    'transcript.get': transcriptGet(words),
    'transcript.search': async ({ args }) => {
      const asked = REMOTE_ARGS['transcript.search'].safeParse(args);
      if (!asked.success) return invalid('/args is not words, from, to and before');
      if (open > MOST_WAITING)
        return { ok: false, code: 'busy', reason: 'the host has other searches to do; try again' };
      open++;
      const found = searching.catch(() => undefined).then(() => matchesOf(words, asked.data));
      searching = found;
      try {
        return { ok: true, value: await found };
      } finally {
        open--;
      }
    },
  };
}

/** Recordings with all these words, as many as one message carries, the newest first. */
async function matchesOf(
  words: (request: WordsRequest) => Promise<readonly KnownWords[]>,
  asked: ReturnType<(typeof REMOTE_ARGS)['transcript.search']['parse']>,
): Promise<HostTranscriptMatches> {
  const { from, to, before } = asked;
  const wanted = searchWords(asked.words);
  const all = await words({
    fits: (startedAt, lines) => startedAt >= from && startedAt < to && saysAll(lines, wanted),
  });
  const older = all
    .toSorted(newestFirst)
    .filter((each) => before === undefined || newestFirst(before, each) < 0)
    .map(({ traceId, recordingId, fileName, startedAt, uploaded }) => {
      return { traceId, recordingId, fileName, startedAt, uploaded };
    });
  let bytes = 0;
  const end = older.findIndex((each) => {
    bytes += Buffer.byteLength(JSON.stringify(each)) + 1;
    return bytes > TRANSCRIPT_PAGE_BYTES;
  });
  return end < 0 ? { found: older, more: false } : { found: older.slice(0, end), more: true };
}

type Begun = Pick<KnownWords, 'startedAt' | 'recordingId'>;
const newestFirst = (a: Begun, b: Begun): number =>
  b.startedAt - a.startedAt || (a.recordingId < b.recordingId ? 1 : a.recordingId > b.recordingId ? -1 : 0);

const transcriptGet =
  (words: (request: WordsRequest) => Promise<readonly KnownWords[]>): RemoteOperation =>
  async ({ args }) => {
    const asked = REMOTE_ARGS['transcript.get'].safeParse(args);
    if (!asked.success) return invalid('/args is not traceId, fileNames and after');
    const { traceId, fileNames, after, live } = asked.data;
    const request = live ? { recordingIds: Object.keys(after) } : {};
    const found = (await words(request)).filter(
      (each) => each.traceId === traceId || each.fileNames.some((name) => fileNames.includes(name)),
    );
    return { ok: true, value: { recordings: pageOf(found.slice(0, MOST_RECORDINGS), after) } };
  };

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
