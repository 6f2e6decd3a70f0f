import { ulid, uuid } from '#shared/id.ts';
import type { DeliveryService } from '../../delivery/delivery-service.ts';
import type { Journal, OutboxRow } from '../../delivery/outbox/index.ts';
import type { BytePorts, KernelPorts } from '../../kernel/port.ts';
import type { TenantPorts } from '../../replica/index.ts';
import { endOf, type LostSession, openSessions } from './site-lost-session.ts';
import { type SitePorts, Timer } from './site-port.ts';

export interface LostPorts
  extends Pick<KernelPorts, 'clock' | 'random' | 'log' | 'run'>,
    Pick<BytePorts, 'sha256Hex'>,
    Pick<TenantPorts, 'place'>,
    Pick<SitePorts, 'startTimer'> {
  readonly journal: Pick<Journal, 'peerRows' | 'outboxRow' | 'commit'>;
  readonly delivery: Pick<DeliveryService, 'row' | 'queued'>;
  /** The platform sees this host of our site; undefined: we do not reach the platform. */
  readonly cloudSees: (uid: string) => Promise<boolean | undefined>;
}

/** The silence after which a host is taken for dead has passed when the event comes. */
const SILENT_MS = 5_000;
const LOST_MS = 60_000;
const ASK_AGAIN_MS = 10_000;

/**
 * Calls die with their host, and their applications wait for the end of them. The holder of the callbacks of a lost host
 * reports it (control plane 9):
 *
 *     lost ── 60 s of silence ─┬─ the cloud sees it: asked again every 10 s ─┬─▶ sessions that had begun: hostLost
 *      │                       └─ it does not, or is not reached ────────────┘
 *      └─ back: nothing
 *
 * Ids are made from host and session: two hosts that report it, or one that does so again after a start, report it once.
 */
export class SiteLost {
  readonly #ports: LostPorts;
  readonly #timers = new Map<string, Timer>();

  constructor(ports: LostPorts) {
    this.#ports = ports;
  }

  /** Nothing was heard of this host for 5 s. */
  silent(uid: string): void {
    const silentAtMs = this.#ports.clock.wallMs() - SILENT_MS;
    this.back(uid);
    this.#wait(uid, silentAtMs, LOST_MS - SILENT_MS);
  }

  back(uid: string): void {
    this.#timers.get(uid)?.stop();
    this.#timers.delete(uid);
  }

  stop(): void {
    for (const uid of [...this.#timers.keys()]) this.back(uid);
  }

  #wait(uid: string, silentAtMs: number, delayMs: number): void {
    const timer = new Timer(this.#ports);
    this.#timers.set(uid, timer);
    timer.start(delayMs, () => this.#ports.run(this.#judge(uid, silentAtMs, timer)));
  }

  async #judge(uid: string, silentAtMs: number, timer: Timer): Promise<void> {
    const sees = await this.#ports.cloudSees(uid);
    // It is back, or this host ends.
    if (this.#timers.get(uid) !== timer) return;
    if (sees === true) {
      this.#wait(uid, silentAtMs, ASK_AGAIN_MS);
      return;
    }
    this.#timers.delete(uid);
    await this.#tell(uid, silentAtMs);
  }

  async #tell(uid: string, silentAtMs: number): Promise<void> {
    const { journal, delivery, log } = this.#ports;
    const lost = openSessions(journal.peerRows(uid));
    const rows = lost
      .map((session) => this.#row(uid, session, silentAtMs))
      .filter(({ id }) => journal.outboxRow(id) === undefined);
    if (rows.length === 0) return;
    await journal.commit(rows.map((row) => ({ kind: 'outbox', row })));
    for (const row of rows) delivery.queued(row);
    log('warn', 'lost_host.calls_ended', 'Reported the calls of a lost host as ended', {
      uid,
      sessions: rows.length,
    });
  }

  #row(uid: string, session: LostSession, silentAtMs: number): OutboxRow {
    const { delivery, place, random, sha256Hex } = this.#ports;
    const { sessionId, dest, beganAtMs, end } = session;
    const call = endOf(session, silentAtMs, place, uuid(random(16)));
    const item = { lane: 'svc', dest, orderKey: sessionId, type: end.type, state: 'new' } as const;
    const name = sha256Hex(Buffer.from(JSON.stringify(['hostLost', uid, sessionId])));
    return {
      ...delivery.row({ ...item, call, late: false }),
      id: ulid(beganAtMs, Buffer.from(name, 'hex')),
    };
  }
}
