import { type RandomBytes, ulid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { hostByName, type Store, type Uploads } from '../../store/index.ts';
import type { HostName } from '../lifecycle/lifecycle-operations.ts';

/** A bundle is the last lines of a log and some figures, gzip. */
export const DIAGNOSIS_LIMIT_BYTES = 2 * 1_048_576;
/** Chosen: bundles are kept in memory, so many and so long; whoever asked for one fetches it. */
const MOST_KEPT = 16;
const KEPT_MS = 3_600_000;
/** Between the request and the bundle. */
const DUE_MS = 120_000;

export interface DiagnosisPort {
  readonly random: RandomBytes;
  readonly sha256Bytes: (bytes: Uint8Array) => string;
  readonly nowMs: () => number;
  /** Where every replica finds a bundle; absent = there is no other one. */
  readonly uploads?: Uploads;
}

interface Ticket {
  readonly tenant: string;
  readonly uid: string;
  readonly madeAt: number;
  bytes: Uint8Array<ArrayBuffer> | undefined;
}

/**
 * Support bundles of hosts on their way to whoever asked for them: an address that works once, for one host, and then
 * for people of its tenant until it is forgotten. Several replicas keep them in rows, a single process in its memory.
 */
export class DiagnosisBundles {
  readonly #port: DiagnosisPort;
  readonly #tickets = new Map<string, Ticket>();

  constructor(port: DiagnosisPort) {
    this.#port = port;
  }

  /** An address for the bundle of this host. */
  async ticket(tenant: string, uid: string): Promise<string> {
    const { random, nowMs, uploads } = this.#port;
    const madeAt = nowMs();
    // Two of them: the first one says when, together they cannot be guessed.
    const id = `${ulid(madeAt, random(10))}${ulid(madeAt, random(10)).slice(10)}`;
    if (uploads !== undefined) {
      await uploads.open({ id, tenant, uid }, DUE_MS, KEPT_MS);
      return id;
    }
    this.#forget(madeAt);
    this.#tickets.set(id, { tenant, uid, madeAt, bytes: undefined });
    return id;
  }

  /** Fails with `notFound` for another host, a second time, or too late; with `tooLarge`. */
  async put(id: string, uid: string, bytes: Uint8Array<ArrayBuffer>): Promise<Result<null>> {
    if (!this.#mayPut(id, uid)) return NOT_ASKED;
    if (bytes.byteLength > DIAGNOSIS_LIMIT_BYTES)
      return fail(
        'tooLarge',
        `The support bundle is refused: it is larger than ${DIAGNOSIS_LIMIT_BYTES} bytes. Send a smaller one.`,
      );
    const { uploads } = this.#port;
    if (uploads !== undefined) return (await uploads.put(id, uid, bytes)) ? ok(null) : NOT_ASKED;
    const ticket = this.#tickets.get(id);
    if (ticket !== undefined) ticket.bytes = bytes;
    return ok(null);
  }

  /** Whether the host has put what it says it has. */
  async holds(id: string, sha256: string): Promise<boolean> {
    const { uploads, sha256Bytes } = this.#port;
    const bytes = uploads === undefined ? this.#tickets.get(id)?.bytes : await uploads.read(id);
    return bytes !== undefined && sha256Bytes(bytes) === sha256;
  }

  /** Fails with `notFound`. */
  async take(tenant: string, uid: string, id: string): Promise<Result<Uint8Array<ArrayBuffer>>> {
    const { uploads } = this.#port;
    const bytes =
      uploads === undefined ? this.#kept(tenant, uid, id) : await uploads.read(id, { tenant, uid });
    return bytes === undefined
      ? fail('notFound', 'The support bundle does not exist or has expired. Ask the host for a new one.')
      : ok(bytes);
  }

  /** Where rows decide, they decide when it is put. */
  #mayPut(id: string, uid: string): boolean {
    if (this.#port.uploads !== undefined) return true;
    const ticket = this.#tickets.get(id);
    const late = ticket !== undefined && this.#port.nowMs() - ticket.madeAt > DUE_MS;
    return ticket?.uid === uid && ticket.bytes === undefined && !late;
  }

  #kept(tenant: string, uid: string, id: string): Uint8Array<ArrayBuffer> | undefined {
    const ticket = this.#tickets.get(id);
    const over = ticket !== undefined && this.#port.nowMs() - ticket.madeAt > KEPT_MS;
    return over || ticket?.tenant !== tenant || ticket.uid !== uid ? undefined : ticket.bytes;
  }

  #forget(nowMs: number): void {
    // Oldest first, as they were made.
    for (const [id, { madeAt }] of this.#tickets)
      if (nowMs - madeAt > KEPT_MS || this.#tickets.size >= MOST_KEPT) this.#tickets.delete(id);
  }
}

const NOT_ASKED = fail(
  'notFound',
  'The support bundle is refused: no request for one is open at this address. Ask the host for a bundle first.',
);

export type DiagnosisRequests = (
  tenant: string,
  name: HostName,
  id: string,
) => Promise<Result<Uint8Array<ArrayBuffer>>>;

/** Bundles for people, by the name of the host. */
export const createDiagnosisRequests =
  (store: Store, bundles: DiagnosisBundles): DiagnosisRequests =>
  async (tenant, { siteId, hostId }, id) => {
    const host = await hostByName(store, tenant, siteId, hostId);
    if (host === undefined)
      return fail('notFound', `The host ${hostId} does not exist in site ${siteId}. Check both ids.`);
    return await bundles.take(tenant, host.uid, id);
  };
