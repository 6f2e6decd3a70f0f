import type { RemoteOperation, RemoteResponse } from '#shared/contract/feed/index.ts';
import type { TraceHost } from '#shared/contract/session-record/index.ts';
import { type RandomBytes, ulid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type HostWithStatus,
  hostsOf,
  type SessionRecordRow,
  type Store,
  type Uploads,
} from '../store/index.ts';

const ASK_MS = 15_000;
const SITE_HOSTS: ReadonlySet<string> = new Set(['active', 'draining', 'drained']);
const REACHABLE: ReadonlySet<string> = new Set(['online', 'suspect', 'unstable']);

export interface HostFetchPort {
  readonly ask: (
    uid: string,
    question: { op: RemoteOperation; args: Record<string, unknown>; forMs: number; by: string },
  ) => Promise<Result<RemoteResponse>>;
  readonly edgeUrl: () => string;
  readonly random: RandomBytes;
  readonly nowMs: () => number;
  /** Documents that hosts bring to other replicas; absent = there is no other one. */
  readonly uploads?: Uploads;
}

interface Ticket {
  readonly uid: string;
  bytes?: Uint8Array;
}

/** The part of a host: its state, its report and what it sent. */
export interface HostPart {
  readonly host: TraceHost;
  /** The host did not answer in time; absent otherwise. */
  readonly silent?: true;
  readonly data: Readonly<Record<string, unknown>>;
  readonly bytes?: Uint8Array;
}

/** A kind of document that hosts send. */
interface HostDocument {
  /** Last folder of the address, and the word for people. */
  readonly name: 'trace' | 'capture';
  readonly op: RemoteOperation;
  readonly limitBytes: number;
}

/** Hosts that may have carried the session of a record. */
export const hostsOfRecord = async (
  store: Store,
  { tenant, siteId, uid }: Pick<SessionRecordRow, 'tenant' | 'siteId' | 'uid'>,
): Promise<HostWithStatus[]> =>
  (await hostsOf(store, tenant, siteId)).filter(({ host }) => host.uid === uid || isInService(host));

/** A host that carries sessions, or has carried them until a moment ago. */
export const isInService = ({ lifecycle }: HostWithStatus['host']): boolean => SITE_HOSTS.has(lifecycle);

/**
 * Fetches documents from hosts: each is asked for one, and puts it to an address that works once.
 *
 *     fetch ─▶ host: {op} {…, url} ─▶ PUT /edge/v1/{name}/{ticket}
 *
 * A host that puts it to another replica than the one that asked finds the address in the rows, and the document comes by them.
 */
export class HostFetch {
  readonly #port: HostFetchPort;
  readonly #document: HostDocument;
  readonly #tickets = new Map<string, Ticket>();

  constructor(port: HostFetchPort, document: HostDocument) {
    this.#port = port;
    this.#document = document;
  }

  /** The document that a host was asked for; fails with `notFound` for another host, a second time, or too late; with `tooLarge`. */
  async put(id: string, uid: string, bytes: Uint8Array): Promise<Result<null>> {
    const { name, limitBytes } = this.#document;
    const unasked = fail(
      'notFound',
      `The ${name} is refused: no request waits for it. Wait until it is asked for.`,
    );
    const ticket = this.#tickets.get(id);
    if (ticket !== undefined && (ticket.uid !== uid || ticket.bytes !== undefined)) return unasked;
    if (bytes.byteLength > limitBytes)
      return fail('tooLarge', `The ${name} is refused: it is larger than ${limitBytes} bytes.`);
    if (ticket === undefined)
      return (await this.#port.uploads?.put(id, uid, bytes)) === true ? ok(null) : unasked;
    ticket.bytes = bytes;
    return ok(null);
  }

  async fetch(
    { host: { uid, hostId, tenant }, status }: HostWithStatus,
    request: Readonly<Record<string, unknown>>,
    by: string,
  ): Promise<HostPart> {
    const away = awayHost({ hostId, status });
    if (away !== undefined) return { data: {}, host: away };
    const { name, op } = this.#document;
    const { random, nowMs, edgeUrl, ask, uploads } = this.#port;
    const id = `${ulid(nowMs(), random(10))}${ulid(nowMs(), random(10)).slice(10)}`;
    const ticket: Ticket = { uid };
    this.#tickets.set(id, ticket);
    try {
      await uploads?.open({ id, tenant, uid }, ASK_MS, ASK_MS);
      const args = { ...request, url: `${edgeUrl()}/edge/v1/${name}/${id}` };
      const answer = await ask(uid, { op, args, forMs: ASK_MS, by: `user:${by}` });
      if (!answer.ok) return { ...failedPart(hostId, answer.error.reason), silent: true };
      const { ok: done, data, error } = answer.value;
      if (!done) return failedPart(hostId, reasonOf(error));
      if (data.bytes === 0) return { data, host: { hostId, state: 'empty' } };
      const bytes = ticket.bytes ?? (await uploads?.read(id));
      return bytes === undefined
        ? failedPart(hostId, `the host reported a ${name}, and none arrived`)
        : { data, bytes, host: { hostId, state: 'sent' } };
    } finally {
      this.#tickets.delete(id);
      await uploads?.drop(id).catch(() => undefined);
    }
  }
}

/** A host that cannot be asked now; undefined: it can. */
export function awayHost({
  hostId,
  status,
}: {
  readonly hostId: string;
  readonly status: HostWithStatus['status'];
}): TraceHost | undefined {
  if (REACHABLE.has(status.connectivity)) return undefined;
  const since = status.lastSeen ?? status.since;
  return { hostId, state: 'away', ...(since !== null && { since }) };
}

export const failedPart = (hostId: string, reason: string): HostPart => ({
  data: {},
  host: { hostId, state: 'failed', reason },
});

/** Why a host has refused, for a person. */
export function reasonOf(error: { readonly code: string; readonly reason: string } | undefined): string {
  if (error?.code === 'unknownOperation') return 'the program of the host is too old; upgrade it';
  return error?.reason ?? 'the host refused and gave no reason';
}
