import type { LogEntry } from '#shared/contract/record/index.ts';
import type { SessionTrace, TraceHost, TraceStep } from '#shared/contract/session-record/index.ts';
import { ok, type Result } from '#shared/result.ts';
import { boundedSteps, mediaCurves, stepsOf } from '#shared/session-trace/index.ts';
import type { Call, HostWithStatus, Store } from '../store/index.ts';
import { auditedLook } from './audited-look.ts';
import { furtherEndSteps } from './further-end.ts';
import { failedPart, HostFetch, type HostFetchPort, hostsOfRecord } from './host-fetch.ts';

/** A host sends 60,000 steps at most (`shared/session-trace`), which are some MiB. */
export const TRACE_LIMIT_BYTES = 8 * 1_048_576;
const UNPACKED_LIMIT_BYTES = 64 * 1_048_576;
/** Fetched traces in memory: so many, so long, so large together. */
const MOST_KEPT = 64;
const KEPT_MS = 3_600_000;
const KEPT_BYTES = 64 * 1_048_576;

export interface TracePort extends HostFetchPort {
  readonly store: Store;
  /** Rejects for what is no gzip, or more than `mostBytes` unpacked. */
  readonly gunzip: (bytes: Uint8Array, mostBytes: number) => Promise<string>;
  /** Events of the trace that the control plane has. */
  readonly events: (tenant: string, traceId: string) => Promise<readonly LogEntry[]>;
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
  readonly #fetch: HostFetch;
  readonly #kept = new Map<string, Kept>();

  constructor(port: TracePort) {
    this.#port = port;
    this.#fetch = new HostFetch(port, { name: 'trace', op: 'trace.get', limitBytes: TRACE_LIMIT_BYTES });
  }

  /** Fails with `notFound` for an unknown record, that of another tenant, and one without a trace. */
  async read(call: Call, recordId: string): Promise<Result<SessionTrace>> {
    const { store, nowMs } = this.#port;
    const { tenant } = call;
    const look = await auditedLook(store, call, recordId, 'trace');
    if (!look.ok) return look;
    const row = look.value;
    const { traceId } = row;
    const key = `${tenant} ${recordId}`;
    this.#forgetOld();
    const known = this.#kept.get(key);
    if (known !== undefined) return ok(known.trace);
    const hosts = await hostsOfRecord(store, row);
    const parts = await Promise.all(hosts.map((host) => this.#part(host, traceId, call.actor.name)));
    const hostStates = parts.map(({ host }) => host);
    const complete =
      hostStates.length > 0 && hostStates.every(({ state }) => state === 'sent' || state === 'empty');
    const steps = [...parts.flatMap((part) => part.steps), ...furtherEndSteps(row)].toSorted(
      (a, b) => a.at - b.at,
    );
    const trace: SessionTrace = {
      ...{
        traceId,
        recordId,
        fetchedAt: nowMs(),
        complete,
        hosts: hostStates,
        steps: [...boundedSteps(steps)],
      },
      media: mediaCurves(steps),
      events: [...(await this.#port.events(tenant, traceId))],
    };
    // A session that runs has more steps tomorrow.
    if (complete && row.result !== 'running') this.#keep(key, { tenant, trace, bytes: sizeOf(parts) });
    return ok(trace);
  }

  /** As `HostFetch.put`. */
  put(id: string, uid: string, bytes: Uint8Array): Promise<Result<null>> {
    return this.#fetch.put(id, uid, bytes);
  }

  /** Forgets the traces of a tenant: one of them may name a person who was erased. */
  forget(tenant: string): void {
    for (const [key, kept] of this.#kept) if (kept.tenant === tenant) this.#kept.delete(key);
  }

  async #part(
    host: HostWithStatus,
    traceId: string,
    by: string,
  ): Promise<{ host: TraceHost; steps: TraceStep[]; bytes: number }> {
    const { host: answered, bytes } = await this.#fetch.fetch(host, { traceId }, by);
    const none = { steps: [], bytes: 0 };
    if (bytes === undefined) return { ...none, host: answered };
    const { hostId } = answered;
    const json = await this.#port.gunzip(bytes, UNPACKED_LIMIT_BYTES).catch(() => undefined);
    const steps = json === undefined ? undefined : stepsOf(json, hostId);
    return json === undefined || steps === undefined
      ? { ...none, host: failedPart(hostId, 'the host sent something that is no trace').host }
      : { host: answered, steps, bytes: json.length };
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
