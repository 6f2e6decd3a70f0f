import {
  type HostTranscript,
  hostTranscriptSchema,
  type RecordingWords,
  type RecordTranscript,
  type TraceHost,
} from '#shared/contract/session-record/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { type Call, type HostWithStatus, readPromptFile, recordsOf, type Store } from '../../store/index.ts';
import { auditedLook, type TracedRecord } from '../audited-look.ts';
import { awayHost, type HostFetchPort, hostsOfRecord, reasonOf } from '../host-fetch.ts';

/** Chosen: a host answers from its memory and its disk, ms. */
const ASK_MS = 10_000;
/** A host sends 40 kB of lines in a message: so many messages are the longest transcript of every recording of a session. */
const MOST_PAGES = 64;

export interface TranscriptPort extends Pick<HostFetchPort, 'ask'> {
  readonly store: Store;
}

/** Lines that are known already, by host and recording: `gw-1 7c1f…` → 12. */
export type KnownLines = Map<string, number>;

/** A record whose words are read, and the name of the reader for the hosts. */
export interface TranscriptLook {
  readonly row: TracedRecord;
  readonly by: string;
}

/**
 * Words of sessions: they lie at the hosts that recorded them, beside the recordings, and go with them. A person reads them by the
 * record:
 *
 *     look (audit) ─▶ read ─▶ each host of the site: transcript.get {traceId, fileNames, after} ─▶ lines, what is being spoken
 */
export class TranscriptRelay {
  readonly #port: TranscriptPort;

  constructor(port: TranscriptPort) {
    this.#port = port;
  }

  /** Writes the look into the audit log. Fails with `notFound` as `auditedLook`. */
  async look(call: Call, recordId: string): Promise<Result<TranscriptLook>> {
    const look = await auditedLook(this.#port.store, call, recordId, 'transcript');
    return look.ok ? ok({ row: look.value, by: `user:${call.actor.name}` }) : look;
  }

  /** The words after those that are known; afterwards they are known. `live`: of recordings that run, and of those that are known. */
  async read(
    { row, by }: TranscriptLook,
    known: KnownLines = new Map(),
    live = false,
  ): Promise<RecordTranscript> {
    const hosts = await hostsOfRecord(this.#port.store, row);
    const parts = await Promise.all(hosts.map((host) => this.#part(host, { row, by }, known, live)));
    return {
      recordId: row.id,
      hosts: parts.map(({ host }) => host),
      recordings: parts.flatMap(({ recordings }) => recordings).toSorted((a, b) => a.startedAt - b.startedAt),
    };
  }

  /** The session goes on, or was erased meanwhile. */
  async state({ row }: TranscriptLook): Promise<'running' | 'over' | 'erased'> {
    const [now] = await recordsOf(this.#port.store, row.tenant, [row.id]);
    if (now === undefined) return 'erased';
    return now.result === 'running' ? 'running' : 'over';
  }

  async #part(
    { host: { uid, hostId }, status }: HostWithStatus,
    { row, by }: TranscriptLook,
    known: KnownLines,
    live: boolean,
  ): Promise<{ readonly host: TraceHost; readonly recordings: readonly RecordingWords[] }> {
    const away = awayHost({ hostId, status });
    if (away !== undefined) return { host: away, recordings: [] };
    const found = new Map<string, RecordingWords>();
    const fileNames = namesIn(row).slice(0, 16);
    for (let page = 0; page < MOST_PAGES; page++) {
      const args = { traceId: row.traceId, fileNames, after: afterOf(known, hostId), live };
      const said = await this.#ask(uid, args, by);
      if (!said.ok) {
        const { reason } = said.error;
        return { host: { hostId, state: 'failed', reason }, recordings: [...found.values()] };
      }
      let hasMore = false;
      for (const { total, uploaded, ...words } of said.value.recordings) {
        if (uploaded && !(await hasFile(this.#port.store, row.tenant, words.fileName))) continue;
        const { recordingId, first, lines } = words;
        known.set(`${hostId} ${recordingId}`, first + lines.length);
        found.set(recordingId, behind(found.get(recordingId), { ...words, hostId }));
        hasMore ||= lines.length > 0 && first + lines.length < total;
      }
      if (!hasMore) break;
    }
    const recordings = [...found.values()];
    return { host: { hostId, state: recordings.length === 0 ? 'empty' : 'sent' }, recordings };
  }

  async #ask(uid: string, args: Record<string, unknown>, by: string): Promise<Result<HostTranscript>> {
    const answer = await this.#port.ask(uid, { op: 'transcript.get', args, forMs: ASK_MS, by });
    if (!answer.ok) return answer;
    const { ok: done, data, error } = answer.value;
    if (!done) return fail('refused', reasonOf(error));
    const said = hostTranscriptSchema.safeParse(data);
    return said.success ? ok(said.data) : fail('refused', 'the host sent something that is no transcript');
  }
}

/**
 * Chosen: a tenant that deletes a recording here must not read it in the copy that the host keeps for its own site. The words go
 * with the file.
 */
export const hasFile = async (store: Store, tenant: string, fileName: string): Promise<boolean> =>
  (await readPromptFile(store, tenant, fileName)) !== undefined;

/** The next page of the same recording. */
const behind = (before: RecordingWords | undefined, words: RecordingWords): RecordingWords =>
  before === undefined ? words : { ...words, first: before.first, lines: [...before.lines, ...words.lines] };

function afterOf(known: KnownLines, hostId: string): Record<string, number> {
  const own = `${hostId} `;
  return Object.fromEntries(
    [...known].flatMap(([name, count]) => (name.startsWith(own) ? [[name.slice(own.length), count]] : [])),
  );
}

function namesIn({ body }: TracedRecord): readonly string[] {
  const { recordings } = (body.record ?? {}) as { readonly recordings?: unknown };
  return Array.isArray(recordings) ? recordings.filter((name) => typeof name === 'string') : [];
}
