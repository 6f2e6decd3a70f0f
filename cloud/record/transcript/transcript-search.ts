import {
  type HostTranscriptMatches,
  hostTranscriptMatchesSchema,
  type TraceHost,
} from '#shared/contract/session-record/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { type Call, type HostWithStatus, hostsOf, mutate, recordAudit } from '../../store/index.ts';
import { awayHost, isInService, reasonOf } from '../host-fetch.ts';
import { hasFile, type TranscriptPort } from './transcript-relay.ts';

/** Chosen: a host reads the words of all its recordings for a search, ms. */
const ASK_MS = 15_000;
/** Chosen: hosts that are asked at once. */
const AT_ONCE = 50;
/** A message carries some 200 matches: so many messages of one host are the newest thousand and more. */
const MOST_PAGES = 8;
/** Chosen: a recording begins within a day of its session. */
const LONGEST_SESSION_MS = 86_400_000;

/** Words, and the time in which their sessions began: `[fromMs, toMs)`. */
export interface TranscriptQuestion {
  readonly words: string;
  /** Absent: all sites of the tenant. */
  readonly siteId: string | undefined;
  readonly fromMs: number;
  readonly toMs: number;
  /** A further page of a list: its first one stands in the audit log. */
  readonly goesOn: boolean;
}

export interface TranscriptMatches {
  readonly traceIds: readonly string[];
  readonly hosts: readonly TraceHost[];
  /** A host has more matches than were asked for: the oldest are missing. */
  readonly cut: boolean;
}

interface HostMatches {
  readonly host: TraceHost;
  readonly found: HostTranscriptMatches['found'];
  readonly more: boolean;
}

/**
 * Sessions by what was said in them. The words lie at the hosts and nowhere else, so there is no index here that an erasure or a
 * retention must reach:
 *
 *     find ─▶ audit ─▶ each host: transcript.search {words, from, to} ─▶ traces of recordings, no words
 */
export class TranscriptSearch {
  readonly #port: TranscriptPort;

  constructor(port: TranscriptPort) {
    this.#port = port;
  }

  /** The search stands in the audit log without its words: they may name a person, and that log is never changed. */
  async find(call: Call, question: TranscriptQuestion): Promise<TranscriptMatches> {
    const { store } = this.#port;
    const { tenant, domain, actor } = call;
    const { siteId, fromMs, toMs, goesOn } = question;
    if (!goesOn)
      await mutate(store, call, async (tx) => {
        const detail = { fromMs, toMs, ...(siteId !== undefined && { siteId }) };
        await recordAudit(tx, actor, {
          ...{ tenant, action: 'search', entity: 'transcript', entityId: siteId ?? domain, detail },
        });
        return ok(null);
      });
    const hosts = (await hostsOf(store, tenant)).filter(
      ({ host }) => isInService(host) && (siteId === undefined || host.siteId === siteId),
    );
    const parts: HostMatches[] = [];
    for (let at = 0; at < hosts.length; at += AT_ONCE)
      parts.push(
        ...(await Promise.all(
          hosts.slice(at, at + AT_ONCE).map((host) => this.#part(host, question, `user:${actor.name}`)),
        )),
      );
    const traceIds = new Set<string>();
    for (const { traceId, fileName, uploaded } of parts.flatMap(({ found }) => found))
      if (!traceIds.has(traceId) && (!uploaded || (await hasFile(store, tenant, fileName))))
        traceIds.add(traceId);
    return {
      traceIds: [...traceIds],
      hosts: parts.map(({ host }) => host),
      cut: parts.some(({ more }) => more),
    };
  }

  async #part(
    { host: { uid, hostId }, status }: HostWithStatus,
    { words, fromMs, toMs }: TranscriptQuestion,
    by: string,
  ): Promise<HostMatches> {
    const away = awayHost({ hostId, status });
    if (away !== undefined) return { host: away, found: [], more: false };
    const found: HostTranscriptMatches['found'] = [];
    const args = { words, from: fromMs, to: toMs + LONGEST_SESSION_MS };
    for (let page = 0; page < MOST_PAGES; page++) {
      const last = found.at(-1);
      const before = last && { startedAt: last.startedAt, recordingId: last.recordingId };
      const said = await this.#ask(uid, { ...args, ...(before && { before }) }, by);
      if (!said.ok)
        return { host: { hostId, state: 'failed', reason: said.error.reason }, found, more: false };
      found.push(...said.value.found);
      if (!said.value.more) return { host: hostOf(hostId, found), found, more: false };
    }
    return { host: hostOf(hostId, found), found, more: true };
  }

  async #ask(uid: string, args: Record<string, unknown>, by: string): Promise<Result<HostTranscriptMatches>> {
    const answer = await this.#port.ask(uid, { op: 'transcript.search', args, forMs: ASK_MS, by });
    if (!answer.ok) return answer;
    const { ok: done, data, error } = answer.value;
    if (!done) return fail('refused', reasonOf(error));
    const said = hostTranscriptMatchesSchema.safeParse(data);
    return said.success ? ok(said.data) : fail('refused', 'the host sent something that is no search result');
  }
}

const hostOf = (hostId: string, found: HostTranscriptMatches['found']): TraceHost => ({
  hostId,
  state: found.length === 0 ? 'empty' : 'sent',
});
