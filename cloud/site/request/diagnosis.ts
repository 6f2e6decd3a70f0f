import { type RandomBytes, ulid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { hostByName, type Store } from '../../store/index.ts';
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
}

interface Ticket {
  readonly tenant: string;
  readonly uid: string;
  readonly madeAt: number;
  bytes: Uint8Array<ArrayBuffer> | undefined;
}

/**
 * Support bundles of hosts on their way to whoever asked for them: an address that works once, for one host, and then
 * for people of its tenant until it is forgotten.
 */
export class DiagnosisBundles {
  readonly #port: DiagnosisPort;
  readonly #tickets = new Map<string, Ticket>();

  constructor(port: DiagnosisPort) {
    this.#port = port;
  }

  /** An address for the bundle of this host. */
  ticket(tenant: string, uid: string): string {
    const madeAt = this.#port.nowMs();
    this.#forget(madeAt);
    // Two of them: the first one says when, together they cannot be guessed.
    const id = `${ulid(madeAt, this.#port.random(10))}${ulid(madeAt, this.#port.random(10)).slice(10)}`;
    this.#tickets.set(id, { tenant, uid, madeAt, bytes: undefined });
    return id;
  }

  /** Fails with `notFound` for another host, a second time, or too late; with `tooLarge`. */
  put(id: string, uid: string, bytes: Uint8Array<ArrayBuffer>): Result<null> {
    const ticket = this.#tickets.get(id);
    const late = ticket !== undefined && this.#port.nowMs() - ticket.madeAt > DUE_MS;
    if (ticket === undefined || ticket.uid !== uid || ticket.bytes !== undefined || late)
      return fail(
        'notFound',
        'The support bundle is refused: no request for one is open at this address. Ask the host for a bundle first.',
      );
    if (bytes.byteLength > DIAGNOSIS_LIMIT_BYTES)
      return fail(
        'tooLarge',
        `The support bundle is refused: it is larger than ${DIAGNOSIS_LIMIT_BYTES} bytes. Send a smaller one.`,
      );
    ticket.bytes = bytes;
    return ok(null);
  }

  /** Whether the host has put what it says it has. */
  holds(id: string, sha256: string): boolean {
    const bytes = this.#tickets.get(id)?.bytes;
    return bytes !== undefined && this.#port.sha256Bytes(bytes) === sha256;
  }

  /** Fails with `notFound`. */
  take(tenant: string, uid: string, id: string): Result<Uint8Array<ArrayBuffer>> {
    const ticket = this.#tickets.get(id);
    const over = ticket !== undefined && this.#port.nowMs() - ticket.madeAt > KEPT_MS;
    if (over || ticket?.bytes === undefined || ticket.tenant !== tenant || ticket.uid !== uid)
      return fail(
        'notFound',
        'The support bundle does not exist or has expired. Ask the host for a new one.',
      );
    return ok(ticket.bytes);
  }

  #forget(nowMs: number): void {
    // Oldest first, as they were made.
    for (const [id, { madeAt }] of this.#tickets)
      if (nowMs - madeAt > KEPT_MS || this.#tickets.size >= MOST_KEPT) this.#tickets.delete(id);
  }
}

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
    return bundles.take(tenant, host.uid, id);
  };
