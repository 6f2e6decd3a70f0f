import type { RemoteOperation, RemoteResponse } from '#shared/contract/feed/index.ts';
import type { LogEntry } from '#shared/contract/record/index.ts';
import type { SessionTrace, TraceHost, TraceStep } from '#shared/contract/session-record/index.ts';
import { type RandomBytes, ulid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Call,
  type HostWithStatus,
  hostsOf,
  mutate,
  recordAudit,
  recordsOf,
  type Store,
} from '../store/index.ts';
import { unknownRecord } from './record-queries.ts';
import { stepsOf } from './trace-step.ts';

/** A trace of 50,000 steps is some MiB; more is no trace of one session. */
export const TRACE_LIMIT_BYTES = 8 * 1_048_576;
const UNPACKED_LIMIT_BYTES = 64 * 1_048_576;
const ASK_MS = 15_000;
/** Fetched traces in memory: so many, so long, so large together. */
const MOST_KEPT = 64;
const KEPT_MS = 3_600_000;
const KEPT_BYTES = 64 * 1_048_576;
const SITE_HOSTS: ReadonlySet<string> = new Set(['active', 'draining', 'drained']);
const REACHABLE: ReadonlySet<string> = new Set(['online', 'suspect', 'unstable']);

export interface TracePort {
  readonly store: Store;
  readonly ask: (
    uid: string,
    question: { op: RemoteOperation; args: Record<string, unknown>; forMs: number; by: string },
  ) => Promise<Result<RemoteResponse>>;
  readonly edgeUrl: () => string;
  readonly random: RandomBytes;
  readonly nowMs: () => number;
  /** Rejects for what is no gzip, or more than `mostBytes` unpacked. */
  readonly gunzip: (bytes: Uint8Array, mostBytes: number) => Promise<string>;
  /** Events of the trace that the control plane has. */
  readonly events: (tenant: string, traceId: string) => Promise<readonly LogEntry[]>;
}

interface Ticket {
  readonly uid: string;
  bytes?: Uint8Array;
}

interface Kept {
  readonly tenant: string;
  readonly trace: SessionTrace;
  readonly bytes: number;
}

/**
 * Traces of sessions: they lie at the hosts of the site and are fetched when a person asks.
 *
 *     read ─▶ audit ─▶ kept? ─▶ each host of the site: trace.get {traceId, url} ─▶ PUT /edge/v1/trace/{ticket} ─▶ joined by time
 */
export class TraceRelay {
  readonly #port: TracePort;
  readonly #tickets = new Map<string, Ticket>();
  readonly #kept = new Map<string, Kept>();

  constructor(port: TracePort) {
    this.#port = port;
  }

  /** Fails with `notFound` for an unknown record, that of another tenant, and one without a trace. */
  async read(call: Call, recordId: string): Promise<Result<SessionTrace>> {
    const { store, nowMs } = this.#port;
    const { tenant } = call;
    const [row] = await recordsOf(store, tenant, [recordId]);
    if (row === undefined) return unknownRecord(recordId);
    const { traceId, siteId } = row;
    if (traceId === null)
      return fail('notFound', `The record ${recordId} has no trace: its session noted none, or was erased.`);
    await mutate(store, call, async (tx) => {
      const detail = { recordId, siteId };
      await recordAudit(tx, call.actor, {
        tenant,
        action: 'read',
        entity: 'trace',
        entityId: traceId,
        detail,
      });
      return ok(null);
    });
    const key = `${tenant} ${recordId}`;
    this.#forgetOld();
    const known = this.#kept.get(key);
    if (known !== undefined) return ok(known.trace);
    const hosts = (await hostsOf(store, tenant)).filter(
      ({ host }) => host.siteId === siteId && (host.uid === row.uid || SITE_HOSTS.has(host.lifecycle)),
    );
    const parts = await Promise.all(hosts.map((host) => this.#part(host, traceId, call.actor.name)));
    const told = parts.map(({ host }) => host);
    const complete = told.length > 0 && told.every(({ state }) => state === 'sent' || state === 'empty');
    const trace: SessionTrace = {
      ...{ traceId, recordId, fetchedAt: nowMs(), complete, hosts: told },
      steps: parts.flatMap(({ steps }) => steps).toSorted((a, b) => a.at - b.at),
      events: [...(await this.#port.events(tenant, traceId))],
    };
    // A session that runs has more steps tomorrow.
    if (complete && row.result !== 'running') this.#keep(key, { tenant, trace, bytes: sizeOf(parts) });
    return ok(trace);
  }

  /** The trace that a host was asked for; fails with `notFound` for another host, a second time, or too late; with `tooLarge`. */
  put(id: string, uid: string, bytes: Uint8Array): Result<null> {
    const ticket = this.#tickets.get(id);
    if (ticket === undefined || ticket.uid !== uid || ticket.bytes !== undefined)
      return fail('notFound', 'The trace is refused: no request waits for it. Wait until it is asked for.');
    if (bytes.byteLength > TRACE_LIMIT_BYTES)
      return fail('tooLarge', `The trace is refused: it is larger than ${TRACE_LIMIT_BYTES} bytes.`);
    ticket.bytes = bytes;
    return ok(null);
  }

  /** Forgets the traces of a tenant: one of them may name a person who was erased. */
  forget(tenant: string): void {
    for (const [key, kept] of this.#kept) if (kept.tenant === tenant) this.#kept.delete(key);
  }

  async #part(
    { host: { uid, hostId }, status }: HostWithStatus,
    traceId: string,
    by: string,
  ): Promise<{ host: TraceHost; steps: TraceStep[]; bytes: number }> {
    const none = { steps: [], bytes: 0 };
    if (!REACHABLE.has(status.connectivity)) {
      const since = status.lastSeen ?? status.since;
      return { ...none, host: { hostId, state: 'away', ...(since !== null && { since }) } };
    }
    const failed = (reason: string) => ({ ...none, host: { hostId, state: 'failed' as const, reason } });
    const { random, nowMs, edgeUrl } = this.#port;
    const id = `${ulid(nowMs(), random(10))}${ulid(nowMs(), random(10)).slice(10)}`;
    const ticket: Ticket = { uid };
    this.#tickets.set(id, ticket);
    try {
      const args = { traceId, url: `${edgeUrl()}/edge/v1/trace/${id}` };
      const answer = await this.#port.ask(uid, { op: 'trace.get', args, forMs: ASK_MS, by: `user:${by}` });
      if (!answer.ok) return failed(answer.error.reason);
      const { ok: done, data, error } = answer.value;
      if (!done) return failed(reasonOf(error));
      if (data.bytes === 0) return { ...none, host: { hostId, state: 'empty' } };
      const { bytes } = ticket;
      if (bytes === undefined) return failed('the host reported a trace, and none arrived');
      const json = await this.#port.gunzip(bytes, UNPACKED_LIMIT_BYTES).catch(() => undefined);
      const steps = json === undefined ? undefined : stepsOf(json, hostId);
      if (json === undefined || steps === undefined)
        return failed('the host sent something that is no trace');
      return { host: { hostId, state: 'sent' }, steps, bytes: json.length };
    } finally {
      this.#tickets.delete(id);
    }
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.set(key, kept);
    let bytes = [...this.#kept.values()].reduce((sum, each) => sum + each.bytes, 0);
    for (const [oldest, each] of this.#kept) {
      if (this.#kept.size <= MOST_KEPT && bytes <= KEPT_BYTES) return;
      bytes -= each.bytes;
      this.#kept.delete(oldest);
    }
  }

  #forgetOld(): void {
    const now = this.#port.nowMs();
    for (const [key, { trace }] of this.#kept) if (now - trace.fetchedAt > KEPT_MS) this.#kept.delete(key);
  }
}

const sizeOf = (parts: readonly { readonly bytes: number }[]): number =>
  parts.reduce((sum, { bytes }) => sum + bytes, 0);

function reasonOf(error: { readonly code: string; readonly reason: string } | undefined): string {
  if (error?.code === 'unknownOperation') return 'the program of the host is too old; upgrade it';
  return error?.reason ?? 'the host refused and gave no reason';
}
