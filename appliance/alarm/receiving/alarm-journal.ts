import { receivedForm } from '#shared/alarm-event/index.ts';
import { recordMs } from '#shared/clock.ts';
import { ulid } from '#shared/id.ts';
import { applyEventMap, type CompiledEventMap, compileEventMap } from '#shared/matching/index.ts';
import { type Failure, ok, type Result } from '#shared/result.ts';
import {
  type AlarmDetails,
  alarmAction,
  type CallbackCall,
  type CallbackPorts,
  type ChainOutcome,
  type MapEvent,
  makeReplyId,
  namedPeople,
  newAlarmCall,
} from '../../delivery/callback/index.ts';
import { bridgeDestination, type DeliveryService } from '../../delivery/delivery-service.ts';
import type { JournalPorts, JournalWrite, OutboxRow, SessionRow } from '../../delivery/outbox/index.ts';
import type { TimerPorts } from '../../kernel/engine-timers.ts';
import { Places } from '../../kernel/places.ts';
import type { BytePorts, KernelPorts } from '../../kernel/port.ts';
import { recordIdOf, type SessionOpening, SessionTrace } from '../../kernel/session-trace.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { EventName, Withdrawal } from '../protocol/index.ts';
import { sourceName } from '../protocol/repeat/index.ts';
import { type Admission, calledInstead, type ReceiverBridge, withoutPins } from '../receiver/index.ts';
import { type AlarmSession, initial, type SessionEffect } from '../session/index.ts';
import type { ActiveAlarm, AlarmInfo, PreparedCallback } from './active-alarm.ts';
import { FORWARD_WAIT_MS, type Forward } from './alarm-forward.ts';
import { AlarmIds } from './alarm-ids.ts';
import { originOf, receiverFacts } from './arrival.ts';
import { CallbackOrder } from './callback-order.ts';
import type { EventForwarding } from './event-forwarding.ts';
import type { ProtocolAdapter } from './protocol-adapter.ts';

type Ports = KernelPorts & TimerPorts & BytePorts & TenantPorts & JournalPorts & CallbackPorts;

/** More states than a session that was not stored ever has. */
const STATES_OF_A_TELLING = 100;
/** Chosen: alarms of unknown units that are in one group commit at most, of 64. */
const UNKNOWN_AT_ONCE = 8;

type Stored = SessionEffect & { readonly type: 'store' };

/**
 * The paper side of an alarm: opens its case, writes its events with the callbacks that tell of them in one commit,
 * and sends those callbacks once they are on the disk.
 */
export class AlarmJournal {
  readonly #ports: Ports;
  readonly #delivery: DeliveryService;
  readonly #ids: AlarmIds;
  readonly #order: CallbackOrder;
  readonly #maps = new WeakMap<ReceiverBridge, MapEvent>();
  readonly #unknownUnits = new Places(UNKNOWN_AT_ONCE);
  /** Sends events on to receivers; without it none is. */
  #forwarding: EventForwarding | undefined;

  constructor(ports: Ports, delivery: DeliveryService) {
    this.#ports = ports;
    this.#delivery = delivery;
    this.#ids = new AlarmIds(ports);
    this.#order = new CallbackOrder(ports);
  }

  /** Once: events are sent on from now on. */
  forwardBy(forwarding: EventForwarding): void {
    this.#forwarding = forwarding;
  }

  open(
    front: ProtocolAdapter,
    conversation: string,
    bridge: ReceiverBridge,
    admission: Admission,
    said: Omit<AlarmInfo, 'sessionId' | 'traceId' | 'bridgeId' | 'customerSiteId' | 'deviceId' | 'createdMs'>,
    trace: SessionTrace,
    name: EventName | undefined,
  ): ActiveAlarm {
    const wallMs = this.#ports.clock.wallMs();
    const where = { bridgeId: bridge.id, sender: senderOf(said) };
    const has = (id: string): boolean => this.#ports.journal.session(id) !== undefined;
    const sessionId = this.#ids.of('session', name, where, has);
    trace.belongsTo(sessionId);
    const { deviceId } = admission.device ?? {};
    const plainId = recordIdOf(trace.traceId, wallMs);
    const recordId = trace.open({
      ...openingOf({ ...said, sessionId, deviceId, customerSiteId: bridge.customerSiteId }, bridge),
      ...(trace.kind === undefined && { recordId: plainId }),
    });
    const facts: AlarmInfo = {
      ...said,
      sessionId,
      traceId: trace.traceId,
      bridgeId: bridge.id,
      customerSiteId: bridge.customerSiteId,
      deviceId,
      createdMs: wallMs,
      ...(recordId !== plainId && { recordId }),
    };
    // The receiver decides then, and it may take its time.
    const waits = this.#forwarding?.forwards(bridge) ? { callbackTimeoutMs: FORWARD_WAIT_MS } : {};
    const opened = this.#file(
      front,
      conversation,
      facts,
      initial({ ...admission.setting, ...waits }),
      bridge,
      trace,
    );
    // Rows of an earlier telling may still come to the disk: ours are newer.
    return Object.assign(opened, { states: STATES_OF_A_TELLING * this.#ids.tellingsOf(sessionId) });
  }

  /**
   * Our id for a callback that another host made under `id` at `atMs`, when the device has said its alarm to us, too.
   */
  twinOf(id: string, atMs: number): string | undefined {
    return this.#ids.twinOf(id, atMs);
  }

  /** A case that an earlier life began. Its callbacks are in the outbox's hands already. */
  reopen(
    front: ProtocolAdapter,
    conversation: string,
    kept: AlarmInfo,
    session: AlarmSession,
    written: { readonly pages: number; readonly states: number },
  ): ActiveAlarm {
    const facts = { ...kept, restarts: (kept.restarts ?? 0) + 1 };
    const trace = new SessionTrace(facts.traceId, this.#ports.traceMs, this.#ports.sessions);
    trace.belongsTo(facts.sessionId, written.pages);
    const bridge = this.#ports.tenant().bridge(facts.bridgeId);
    const { recordId = recordIdOf(facts.traceId, facts.createdMs), restarts } = facts;
    const event = session.first === null ? undefined : { ...receivedForm(session.first.event) };
    trace.open({ ...openingOf(facts, bridge), recordId, restarts, event });
    const known = this.#file(front, conversation, facts, session, bridge, trace);
    return Object.assign(known, { states: written.states });
  }

  /**
   * Commits event, session and prepared callback; resolves to the event's id when they are on the disk. Unknown units wait in
   * front of the journal, where a known device overtakes them: a row that has its number keeps its place.
   */
  async store(
    known: ActiveAlarm,
    stored: Stored,
    session: SessionRow,
    also: readonly JournalWrite[],
  ): Promise<string> {
    if (known.facts.unknownUnit !== true) return await this.#commit(known, stored, session, also);
    await this.#unknownUnits.take();
    try {
      return await this.#commit(known, stored, session, also);
    } finally {
      this.#unknownUnits.leave();
    }
  }

  async #commit(
    known: ActiveAlarm,
    stored: Stored,
    session: SessionRow,
    also: readonly JournalWrite[],
  ): Promise<string> {
    const { clock, random, journal } = this.#ports;
    const wallMs = clock.wallMs();
    const eventId = ulid(wallMs, random(10));
    const forward = this.#forwarding?.prepare(known, stored);
    const prepared = this.#prepare(known, stored, forward);
    const { type: _, ...event } = stored;
    const row = {
      id: eventId,
      sessionId: known.facts.sessionId,
      ordinal: stored.ordinal,
      wallMs,
      monoMs: recordMs(clock),
      boot: journal.boot,
      body: JSON.stringify(event),
    };
    try {
      await journal.commit([
        { kind: 'session', row: session },
        { kind: 'event', row },
        ...(prepared === undefined ? [] : [{ kind: 'outbox', row: prepared.row } as const]),
        ...(forward?.writes ?? []),
        ...also,
      ]);
    } catch (cause) {
      // It may be delivered from memory: an application that hears it twice must know it again.
      if (stored.ordinal === 0)
        for (const id of [known.facts.sessionId, prepared?.row.id ?? '']) this.#ids.refuse(id);
      throw cause;
    }
    known.names.delete(stored.ordinal);
    if (prepared !== undefined) known.callbacks.set(stored.ordinal, prepared);
    else if (stored.ordinal === 0 && forward === undefined) known.dropped = true;
    if (forward !== undefined) {
      known.forwards.set(stored.ordinal, forward);
      forward.begin();
    }
    return eventId;
  }

  /** The live callback of an event: what the application wants done, or why there is no usable answer. */
  async live(known: ActiveAlarm, ordinal: number, timeoutMs: number): Promise<Result<unknown, Failure>> {
    const prepared = known.callbacks.get(ordinal);
    // Nothing was prepared: the event map drops this event, which counts as the answer drop.
    if (prepared === undefined) return ok({ action: 'drop' });
    const startMs = this.#ports.clock.monoMs();
    const url = `${known.bridge?.callbackBaseUrl ?? ''}${prepared.call.path}`;
    known.trace.add('callbackSent', { url, attempt: 1, late: false });
    const outcome = await this.#send(known.facts, (inTurn) =>
      this.#delivery.live(prepared.row, prepared.call, timeoutMs, inTurn),
    );
    const tookMs = this.#ports.clock.monoMs() - startMs;
    const action = alarmAction(outcome);
    if (outcome.kind === 'answered') {
      known.trace.add('callbackAnswered', {
        status: outcome.status,
        body: withoutPins(outcome.body).slice(0, 500),
        tookMs,
      });
    } else known.trace.add('callbackFailed', { reason: outcome.reason, tookMs });
    if (!action.ok) return action;
    known.settled.push(this.#delivery.settle(prepared.row));
    known.callbacks.delete(ordinal);
    known.dirty = true;
    return ok({ action: action.value, ...calledInstead(namedPeople(outcome)) });
  }

  /** A panel packs the alarm and the restore of a zone into one segment; other devices wait for each answer. */
  #send(
    { protocol, bridgeId, sipFrom }: AlarmInfo,
    request: (inTurn?: () => Promise<void>) => Promise<ChainOutcome>,
  ): Promise<ChainOutcome> {
    return protocol === 'dc09' ? this.#order.run(`${bridgeId} ${sipFrom}`, request) : request();
  }

  /** Hands a callback to the outbox: its live chance is over, or it never had one. */
  record(known: ActiveAlarm, ordinal: number, late: boolean): void {
    const prepared = known.callbacks.get(ordinal);
    if (prepared === undefined) return;
    known.callbacks.delete(ordinal);
    if (late) this.#delivery.release(prepared.row, 'the live request brought no decision');
    else this.#delivery.queued(prepared.row);
  }

  /** These records were committed, or the disk has taken none: they are sent in either case, in their order. */
  reported(rows: readonly OutboxRow[]): void {
    for (const row of rows) this.#delivery.queued(row);
  }

  #file(
    front: ProtocolAdapter,
    conversation: string,
    facts: AlarmInfo,
    session: AlarmSession,
    bridge: ReceiverBridge | undefined,
    trace: SessionTrace,
  ): ActiveAlarm {
    const callbacks = new Map<number, PreparedCallback>();
    const forwards = new Map<number, Forward>();
    const names = new Map<number, EventName>();
    const withdrawals = new Map<number, Withdrawal>();
    const flags = { dropped: false, dirty: false };
    const paper = { callbacks, forwards, names, withdrawals, settled: [], reports: [], states: 0, ...flags };
    return { conversation, front, facts, trace, bridge, session, ...paper };
  }

  #prepare(known: ActiveAlarm, stored: Stored, forward: Forward | undefined): PreparedCallback | undefined {
    const { facts, bridge } = known;
    // Where the receiver decides there may be no application to tell.
    if (forward !== undefined && bridge?.callbackBaseUrl === undefined) return undefined;
    const { place } = this.#ports;
    const { domain } = this.#ports.tenant();
    const details = {
      ...facts,
      domain,
      ivrServer: place.address,
      siteId: place.siteId,
      siteBaseUrl: place.siteBaseUrl,
      event: stored.event,
      source: stored.source,
      replyId: makeReplyId(
        {
          domain,
          host: place.hostId,
          epoch: place.epoch,
          session: facts.sessionId,
          refers: 'alarm',
          iat: Math.floor(this.#ports.clock.wallMs() / 1000),
        },
        this.#ports.signReply,
      ),
      eventSeq: stored.ordinal + 1,
      ...(forward?.targetProtocol !== undefined && { targetProtocol: forward.targetProtocol }),
    };
    const composed = this.compose(details, bridge);
    if (composed === undefined) return undefined;
    const call = facts.unknownUnit === true ? ({ givesWay: true, ...composed } as const) : composed;
    const row = this.#delivery.row({
      lane: 'alarm',
      dest: bridgeDestination(facts.bridgeId),
      orderKey: facts.sessionId,
      type: 'newAlarmbridgeEvent',
      call,
      state: stored.kind === 'first' && forward === undefined ? 'inflight' : 'new',
      late: false,
    });
    const where = { bridgeId: facts.bridgeId, sender: senderOf(facts) };
    const has = (id: string): boolean => this.#ports.journal.outboxRow(id) !== undefined;
    const id = this.#ids.of('callback', known.names.get(stored.ordinal), where, has);
    return { row: { ...row, id }, call };
  }

  /**
   * The callback of an event for the application of a bridge.
   * @returns undefined when the event map of the bridge drops the event
   */
  compose(details: AlarmDetails, bridge: ReceiverBridge | undefined): CallbackCall | undefined {
    let made = newAlarmCall(details, bridge === undefined ? undefined : this.#mapOf(bridge));
    if (!made.ok) {
      // A map that fails must not swallow an alarm: it goes out in its default shape.
      this.#ports.log(
        'error',
        'event_map.apply_failed',
        'Could not apply customEventMap to an event; used the default shape',
        { ...made.error, sessionId: details.sessionId, traceId: details.traceId },
      );
      made = newAlarmCall(details);
    }
    return made.ok && made.value.kind === 'call' ? made.value.call : undefined;
  }

  /** The event map of a bridge, compiled once; without one, or with one that does not compile, the default shape. */
  #mapOf(bridge: ReceiverBridge): MapEvent | undefined {
    const known = this.#maps.get(bridge);
    if (known !== undefined || bridge.customEventMap === undefined) return known;
    const compiled = compileEventMap(bridge.customEventMap);
    if (!compiled.ok) {
      this.#ports.log(
        'error',
        'event_map.compile_failed',
        'Could not compile customEventMap; used the default shape',
        { ...compiled.error },
      );
      return undefined;
    }
    const map = mapEvent(compiled.value);
    this.#maps.set(bridge, map);
    return map;
  }
}

/** The facts of an alarm in its record. */
const openingOf = (
  {
    sessionId,
    deviceId,
    customerSiteId,
    sipFrom,
    calledParty,
    sourceIp,
    protocol,
  }: Pick<
    AlarmInfo,
    'sessionId' | 'deviceId' | 'customerSiteId' | 'sipFrom' | 'calledParty' | 'sourceIp' | 'protocol'
  >,
  bridge: ReceiverBridge | undefined,
): SessionOpening => ({
  kind: 'alarm',
  ...{ sessionId, deviceId, customerSiteId, protocol },
  ...{ from: sipFrom, to: calledParty, source: sourceIp },
  ...receiverFacts(bridge),
});

/** An alarm that a stranger has planted here must not have the id that the device's own alarm gets on another host. */
const senderOf = (said: Pick<AlarmInfo, 'sipFrom' | 'sourceIp' | 'proof'>): string =>
  `${said.sipFrom} ${sourceName(originOf(said))}`;

const mapEvent =
  (map: CompiledEventMap): MapEvent =>
  (event) =>
    applyEventMap(map, event);
