import { ulid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { hostsOf, readHost, type Store, type Uploads } from '../../store/index.ts';
import type { AskHost } from './remote-requests.ts';

export interface RecordingRelayPort {
  readonly store: Store;
  readonly ask: AskHost;
  /** Address of the edge listener. */
  readonly edgeUrl: () => string;
  readonly random: (length: number) => Uint8Array;
  readonly nowMs: () => number;
  /** Runs it once after so many milliseconds. */
  readonly after: (ms: number, run: () => void) => void;
  /** Recordings that hosts bring to other replicas; absent = there is no other one. */
  readonly uploads?: Uploads;
}

/** A recording that lies at a site: its host and its size. */
export interface SiteRecording {
  readonly uid: string;
  readonly hostId: string;
  readonly size: number;
}

type Bytes = ReadableStream<Uint8Array>;

interface Ticket {
  readonly uid: string;
  readonly arrived: (bytes: Bytes) => void;
}

/** Hosts that may have recordings of the tenant. */
const HOLDING = new Set(['active', 'draining', 'drained']);
const ASK_MS = 5_000;
/** Chosen: a host that has said yes begins to send within this time. */
const DUE_MS = 15_000;
/** A host that meets another replica is looked for as often as this. */
const LOOK_MS = 100;
/** Chosen: a recording of hours is read in this time, or its reader has left. */
const LONGEST_MS = 3_600_000;

/**
 * Recordings that lie at a site and not here: those of recording services, and others on their way. The bytes pass through and are
 * kept nowhere, so that a recording that a site deletes exists no more. Between two replicas they pass through rows, a few pieces at
 * a time, which go as they are read.
 *
 *   find ─▶ every host: recording.send {fileName} ─▶ {size}
 *   open ─▶ its host: recording.send {fileName, url} ─▶ PUT /edge/v1/recording/{ticket} ─▶ bytes of the request that asked
 */
export class RecordingRelay {
  readonly #port: RecordingRelayPort;
  readonly #tickets = new Map<string, Ticket>();

  constructor(port: RecordingRelayPort) {
    this.#port = port;
  }

  /** Undefined: no host that answers has a recording of this name. */
  async find(tenant: string, fileName: string, by: string): Promise<SiteRecording | undefined> {
    const hosts = (await hostsOf(this.#port.store, tenant)).filter(
      ({ host, status }) => HOLDING.has(host.lifecycle) && status.connectivity === 'online',
    );
    const found = await Promise.all(
      hosts.map(async ({ host: { uid, hostId } }) => {
        const answer = await this.#ask(uid, { fileName }, by);
        const size = answer.ok ? Number(answer.value.size) : Number.NaN;
        return Number.isSafeInteger(size) ? { uid, hostId, size } : undefined;
      }),
    );
    return found.find((each) => each !== undefined);
  }

  async open({ uid, hostId }: SiteRecording, fileName: string, by: string): Promise<Result<Bytes>> {
    const { random, nowMs, edgeUrl, after, uploads } = this.#port;
    const ticket = `${ulid(nowMs(), random(10))}${ulid(nowMs(), random(10)).slice(10)}`;
    const { promise, resolve } = Promise.withResolvers<Bytes | undefined>();
    this.#tickets.set(ticket, { uid, arrived: resolve });
    after(DUE_MS, () => resolve(undefined));
    let isElsewhere = false;
    try {
      await this.#openElsewhere(ticket, uid);
      const asked = await this.#ask(uid, { fileName, url: `${edgeUrl()}/edge/v1/recording/${ticket}` }, by);
      if (asked.ok && uploads !== undefined)
        this.#lookElsewhere(ticket, uploads, (came) => {
          isElsewhere = true;
          resolve(came);
        });
      const bytes = asked.ok ? await promise : undefined;
      if (bytes !== undefined) return ok(bytes);
      return fail(
        'hostUnreachable',
        `The recording ${fileName} is not sent: the host ${hostId} has it and does not send it. Check the host, and ask again.`,
      );
    } finally {
      this.#tickets.delete(ticket);
      if (!isElsewhere) await uploads?.drop(ticket).catch(() => undefined);
    }
  }

  /** The bytes that a host was asked for; fails with `notFound` for another host, a second time, or too late. */
  async take(ticket: string, uid: string, bytes: Bytes): Promise<Result<null>> {
    const unasked = fail(
      'notFound',
      'The recording is refused: no request waits for it. Wait until it is asked for.',
    );
    const open = this.#tickets.get(ticket);
    if (open === undefined)
      return (await this.#port.uploads?.pour(ticket, uid, bytes)) === true ? ok(null) : unasked;
    if (open.uid !== uid) return unasked;
    this.#tickets.delete(ticket);
    open.arrived(bytes);
    return ok(null);
  }

  /** The address is good at every replica. */
  async #openElsewhere(ticket: string, uid: string): Promise<void> {
    const { store, uploads } = this.#port;
    const host = uploads && (await readHost(store, uid));
    if (host !== undefined) await uploads?.open({ id: ticket, tenant: host.tenant, uid }, DUE_MS, LONGEST_MS);
  }

  /** Until its bytes come here or there, or it is too late. */
  #lookElsewhere(ticket: string, uploads: Uploads, arrived: (bytes: Bytes) => void): void {
    if (!this.#tickets.has(ticket)) return;
    uploads
      .flow(ticket)
      .then((bytes) =>
        bytes === undefined
          ? this.#port.after(LOOK_MS, () => this.#lookElsewhere(ticket, uploads, arrived))
          : arrived(bytes),
      )
      .catch(() => undefined);
  }

  async #ask(uid: string, args: Record<string, unknown>, by: string) {
    const answer = await this.#port.ask(uid, { op: 'recording.send', args, forMs: ASK_MS, by });
    if (!answer.ok) return answer;
    const { ok: done, data, error } = answer.value;
    return done ? ok(data) : fail('hostRefused', error?.reason ?? 'the host gave no reason');
  }
}
