import { recordMs } from '#shared/clock.ts';
import type { RestAuthenticationEntry } from '#shared/contract/provisioning/index.ts';
import { ulid } from '#shared/id.ts';
import { Listeners } from '#shared/listeners.ts';
import type { TimerPorts, TimerScope } from '../kernel/engine-timers.ts';
import { Places } from '../kernel/places.ts';
import type { KernelPorts } from '../kernel/port.ts';
import type { TenantModel, TenantPorts } from '../replica/index.ts';
import {
  type CallbackCall,
  type CallbackPorts,
  type CallbackTarget,
  type Caller,
  type ChainOutcome,
  deliveryVerdict,
  readStoredCall,
  storeCall,
} from './callback/index.ts';
import {
  cloudDestination,
  type DeliveryResult,
  isYielding,
  type Journal,
  type JournalPorts,
  type JournalWrite,
  type Lane,
  type Outbox,
  type OutboxEffect,
  type OutboxInput,
  type OutboxRow,
} from './outbox/index.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts & JournalPorts & CallbackPorts;

/** The content of a delivery; the rest of its row is the same for all. */
export interface OutboxItem {
  readonly lane: Lane;
  /** `bridge <id>`, `platform` or `message`: the runtime finds address and credentials when it sends. */
  readonly dest: string;
  readonly orderKey: string;
  readonly type: string;
  readonly call: CallbackCall;
  /** `inflight`: a live chain begins at once; it is released to the outbox when that fails. */
  readonly state: 'new' | 'inflight';
  readonly late: boolean;
}

interface DoneWrite {
  readonly kind: 'outboxChange';
  readonly id: string;
  readonly atMs: number;
  readonly change: { readonly state: 'done' };
}

export const bridgeDestination = (bridgeId: string): string => `bridge ${bridgeId}`;
export const platformDestination = 'platform';
export const messageDestination = 'message';
export const bridgeMessageDestination = (bridgeId: string): string => `message ${bridgeId}`;
/** callbackBaseUrl of a media service. */
export const recordingServiceDestination = (serviceId: string): string => `callrecording ${serviceId}`;
export const mediaServiceDestination = (serviceId: string): string => `mediaservice ${serviceId}`;
export const cloudSipUaDestination = (agentId: string): string => `cloudsipua ${agentId}`;

const RECORD_TIMEOUT_MS = 15_000;
/** Chosen: live callbacks of unknown units at once, of the 256 connections that an application has. */
const UNKNOWN_LIVE = 16;

/**
 * Carries callbacks out: live ones at once, records by the outbox's policy. A row is on the disk before its first
 * attempt, so whatever happens here, nothing that was promised is forgotten.
 */
export class DeliveryService {
  readonly #ports: Ports;
  readonly #outbox: Outbox;
  readonly #call: Caller;
  readonly #journal: Journal;
  /** Rows whose live chain runs. */
  readonly #live = new Set<string>();
  /** Places for live chains that give way to all others. */
  readonly #places: Places;
  readonly #timers: TimerScope<'wake'>;
  /** The callers that wait for the result of the attempts of a row. */
  readonly #watchers = new Map<string, (result: DeliveryResult) => void>();
  /** Dead letters that were sent again and whose new state may not be on the disk yet. */
  readonly #again = new Set<string>();
  #wakeDueMs: number | undefined;
  /** A row became a dead letter. */
  readonly died = new Listeners<[row: OutboxRow, reason: string]>();
  /** One attempt was made, live or of a record: whether the endpoint of this destination took it. */
  readonly attempted = new Listeners<[dest: string, result: DeliveryResult]>();
  /** Its receiver has it, or it became a dead letter. */
  readonly ended = new Listeners<[result: 'delivered' | 'failed']>();

  constructor(ports: Ports, outbox: Outbox) {
    this.#ports = ports;
    this.#outbox = outbox;
    this.#places = new Places(UNKNOWN_LIVE, ports.timers);
    this.#timers = ports.timers.scope(() => this.#wake());
    // Without a result a record would stand in front of its queue for ever and a live request wait for its timer.
    this.#call = (...call) =>
      ports
        .call(...call)
        .catch((cause: unknown) => ({ kind: 'failed', code: 'defect', reason: String(cause) }));
    this.#journal = ports.journal;
  }

  /** Takes up what an earlier life left behind. */
  start(): void {
    this.#step({ kind: 'recovered', now: this.#now(), rows: this.#journal.pendingOutbox() });
  }

  row(item: OutboxItem): OutboxRow {
    const { clock, random } = this.#ports;
    const wallMs = clock.wallMs();
    return {
      id: ulid(wallMs, random(10)),
      seq: this.#journal.nextSeq(),
      lane: item.lane,
      tenant: this.#ports.tenant().domain,
      dest: item.dest,
      orderKey: item.orderKey,
      type: item.type,
      body: storeCall(item.call),
      createdWall: wallMs,
      createdMono: recordMs(clock),
      boot: this.#journal.boot,
      epoch: this.#ports.place.epoch,
      notBefore: 0,
      attempts: 0,
      deadline: this.#outbox.deadline('record', this.#now()),
      expirePolicy: 'record',
      state: item.state,
      late: item.late,
      lastErr: null,
      authIdx: 0,
    };
  }

  /** One live chain inside `timeoutMs`. The row was committed as `inflight`. `inTurn`: resolves when it may start. */
  async live(
    row: OutboxRow,
    call: CallbackCall,
    timeoutMs: number,
    inTurn?: () => Promise<void>,
  ): Promise<ChainOutcome> {
    const target = this.#target(row.dest, timeoutMs);
    if (target === undefined) return { kind: 'failed', code: 'noAddress', reason: noAddress(row.dest) };
    this.#live.add(row.id);
    // The chain must end in every case: the service would never take up a row that seems to be sent for ever.
    const outcome = await this.#inTurn(row, target, (its) =>
      this.#called(row.dest, its, call, {
        id: row.id,
        attempt: 1,
        firstCredential: row.authIdx,
        late: row.late,
        ...(inTurn && { inTurn }),
      }),
    ).finally(() => this.#live.delete(row.id));
    // A gateway's 503 says nothing of the application behind it.
    if (deliveryVerdict(outcome).kind === 'delivered')
      this.#step({ kind: 'reached', now: this.#now(), dest: row.dest });
    return outcome;
  }

  /** A row that gives way waits for a place, within its timeout. */
  async #inTurn(
    row: OutboxRow,
    target: CallbackTarget,
    send: (target: CallbackTarget) => Promise<ChainOutcome>,
  ): Promise<ChainOutcome> {
    if (!isYielding(row)) return await send(target);
    const { clock } = this.#ports;
    const dueMs = clock.monoMs() + target.timeoutMs;
    if (!(await this.#places.take(dueMs)))
      return { kind: 'failed', code: 'timeout', reason: 'known devices and other unknown units came first' };
    try {
      return await send({ ...target, timeoutMs: Math.max(1, dueMs - clock.monoMs()) });
    } finally {
      this.#places.leave();
    }
  }

  /** The row of a live chain that brought an answer is done. */
  settle(row: OutboxRow): DoneWrite {
    this.ended.emit('delivered');
    return this.dismiss(row);
  }

  /** No caller waits for it any more. */
  dismiss(row: OutboxRow): DoneWrite {
    return { kind: 'outboxChange', id: row.id, atMs: this.#ports.clock.wallMs(), change: { state: 'done' } };
  }

  /** A row was committed as `new`. */
  queued(row: OutboxRow): void {
    this.#step({ kind: 'queued', now: this.#now(), row });
  }

  /** The live chain failed: the row becomes a late record. */
  release(row: OutboxRow, reason: string): void {
    this.#step({ kind: 'released', now: this.#now(), row, reason });
  }

  /** Rows that a lost host of the site has left, on our disk by now. */
  adopted(rows: readonly OutboxRow[]): void {
    const own = rows.filter(({ dest }) => dest !== cloudDestination);
    this.#step({ kind: 'recovered', now: this.#now(), rows: own });
  }

  /** A person sends a dead letter again, under its own id. False: it is on its way already. */
  redeliver(row: OutboxRow): boolean {
    if (this.#again.has(row.id)) return false;
    this.#again.add(row.id);
    this.#step({ kind: 'redeliver', now: this.#now(), row });
    return true;
  }

  /** Another host delivers these; what is being sent right now is left alone. */
  withdraw(ids: ReadonlySet<string>): void {
    this.#step({ kind: 'withdrawn', now: this.#now(), ids });
  }

  /** It is being sent right now, live or as a record. */
  isInFlight(id: string): boolean {
    return this.#live.has(id) || this.#outbox.isInFlight(id);
  }

  /** Hears of every attempt of this row, once the outbox has; undefined: no longer. */
  watch(id: string, onOutcome: ((result: DeliveryResult) => void) | undefined): void {
    if (onOutcome === undefined) this.#watchers.delete(id);
    else this.#watchers.set(id, onOutcome);
  }

  /** `OutboxRow.deadline` of a row that is made now. */
  deadline(): number {
    return this.#outbox.deadline('record', this.#now());
  }

  /** Monotonic ms at which the outbox goes on; undefined: it waits for an input. A time that has passed shows that the loop is late. */
  get wakeDueMs(): number | undefined {
    return this.#wakeDueMs;
  }

  #wake(): void {
    this.#wakeDueMs = undefined;
    this.#step({ kind: 'wake', now: this.#now() });
  }

  #step(input: OutboxInput): void {
    for (const effect of this.#outbox.step(input)) this.#perform(effect);
  }

  #perform(effect: OutboxEffect): void {
    switch (effect.kind) {
      case 'attempt':
        this.#ports.run(this.#attempt(effect.row, effect.number));
        return;
      case 'write':
        // A lost note of an attempt costs at most one more attempt with the same key.
        this.#ports.run(this.#journal.commit([effect.write]));
        this.#ended(effect.write);
        return;
      case 'wakeAt':
        this.#wakeDueMs = effect.monoMs;
        this.#timers.start('outbox', 'wake', effect.monoMs);
        return;
      case 'raise':
        this.#again.delete(effect.row.id);
        this.died.emit(effect.row, effect.reason);
        return;
    }
  }

  #ended(write: JournalWrite): void {
    if (write.kind !== 'outboxChange') return;
    if (write.change.state === 'done') this.ended.emit('delivered');
    if (write.change.state === 'dead') this.ended.emit('failed');
  }

  async #attempt(row: OutboxRow, number: number): Promise<void> {
    const outcome = await this.#record(row, number);
    const result = deliveryVerdict(outcome);
    this.#step({ kind: 'result', now: this.#now(), id: row.id, result });
    this.#watchers.get(row.id)?.(result);
  }

  async #record(row: OutboxRow, number: number): Promise<ChainOutcome> {
    const call = readStoredCall(row.body);
    if (call === undefined)
      return { kind: 'failed', code: 'unreadable', reason: 'the stored call is damaged' };
    const target = this.#target(row.dest, RECORD_TIMEOUT_MS);
    if (target === undefined) return { kind: 'failed', code: 'noAddress', reason: noAddress(row.dest) };
    return await this.#called(row.dest, target, call, {
      id: call.key ?? row.id,
      attempt: number,
      firstCredential: row.authIdx,
      late: row.late,
    });
  }

  /** One chain of requests to the endpoint of a destination. */
  async #called(dest: string, ...request: Parameters<Caller>): Promise<ChainOutcome> {
    const outcome = await this.#call(...request);
    this.attempted.emit(dest, deliveryVerdict(outcome));
    return outcome;
  }

  /** Address and credentials as configured now: a corrected address also helps what has waited for it. */
  #target(dest: string, timeoutMs: number): CallbackTarget | undefined {
    const tenant = this.#ports.tenant();
    const found = address(dest, tenant);
    const [destClass = ''] = dest.split(' ');
    return found === undefined ? undefined : { domain: tenant.domain, timeoutMs, destClass, ...found };
  }

  #now() {
    return { wallMs: this.#ports.clock.wallMs(), monoMs: this.#ports.clock.monoMs() };
  }
}

interface Address {
  readonly url: string;
  readonly restAuthentication: readonly RestAuthenticationEntry[];
}

function address(dest: string, tenant: TenantModel): Address | undefined {
  const { notification } = tenant;
  if (dest === platformDestination) {
    return addressOf(notification.alarmEventsRestEndpoint, notification.restAuthentication);
  }
  // The message callback carries no authorization (document 2, 5).
  if (dest === messageDestination) return addressOf(notification.messageCallbackBaseUrl, []);
  if (dest.startsWith(bridgeMessageDestination('')))
    return addressOf(tenant.bridge(dest.slice(bridgeMessageDestination('').length))?.callbackBaseUrl, []);
  if (dest.startsWith(mediaServiceDestination(''))) {
    const service = tenant.mediaServicesById.get(dest.slice(mediaServiceDestination('').length));
    return addressOf(service?.callbackBaseUrl, service?.restAuthentication);
  }
  if (dest.startsWith(recordingServiceDestination(''))) {
    const service = tenant.recordingServicesById.get(dest.slice(recordingServiceDestination('').length));
    return addressOf(service?.callbackBaseUrl, service?.restAuthentication);
  }
  if (dest.startsWith(cloudSipUaDestination(''))) {
    const agent = tenant.cloudSipUa(dest.slice(cloudSipUaDestination('').length));
    return addressOf(agent?.callbackBaseUrl, agent?.restAuthentication);
  }
  const bridge = tenant.bridge(dest.slice(bridgeDestination('').length));
  return addressOf(bridge?.callbackBaseUrl, bridge?.restAuthentication);
}

const addressOf = (
  url: string | undefined,
  restAuthentication: readonly RestAuthenticationEntry[] = [],
): Address | undefined => (url === undefined ? undefined : { url, restAuthentication });

const noAddress = (dest: string): string =>
  dest === platformDestination
    ? 'alarmEventsRestEndpoint is not set in the notification settings'
    : 'callbackBaseUrl is not set, or the alarm bridge or media service was deleted';
