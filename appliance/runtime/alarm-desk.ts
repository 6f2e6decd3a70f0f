import type { Result } from '#shared/result.ts';
import {
  type BookEffect,
  ExchangeBook,
  type ScaipProfile,
  type ScaipRefusal,
  type ScaipRequest,
} from '../alarm/protocol/scaip/index.ts';
import type { ReceiverBridge } from '../alarm/receiver/index.ts';
import {
  restore as restoreSession,
  type SessionEffect,
  type SessionInput,
  step,
} from '../alarm/session/index.ts';
import type { AlarmCase } from './alarm-case.ts';
import type { AlarmFile } from './alarm-file.ts';
import type { AlarmIntake, DeviceSeen } from './alarm-intake.ts';
import { AlarmTimers } from './alarm-timers.ts';
import type { DeviceReply, Way } from './device-reply.ts';
import type { LatePages } from './late-pages.ts';
import type { PlatformAlarmDesk } from './platform-alarm-desk.ts';
import type { RuntimePorts } from './port.ts';
import { sessionRow, storedCases } from './stored-case.ts';
import type { TraceBook } from './trace-book.ts';
import { Turn } from './turn.ts';

/** One SCAIP body, past authentication, on its way to its exchange. */
export interface IncomingAlarm {
  readonly decoded: Result<ScaipRequest, ScaipRefusal>;
  readonly raw: string;
  readonly bridge: ReceiverBridge;
  readonly profile: ScaipProfile;
  readonly way: Way;
  readonly fromUser: string;
  readonly calledParty: string;
  readonly sourceIp: string;
  readonly heartbeatIntervalMs: number | undefined;
  readonly trace: TraceBook;
}

const ANSWER_KEPT_MS = 30 * 60_000;

/**
 * Joins the exchange with the device (SCAIP) and the alarm session: what one wants done is an input of the other,
 * of the journal, of the application or of a timer. One input runs to completion, then the state is committed.
 */
export class AlarmDesk {
  readonly #ports: RuntimePorts;
  readonly #file: AlarmFile;
  readonly #alarms: PlatformAlarmDesk;
  readonly #reply: DeviceReply;
  readonly #intake: AlarmIntake;
  readonly #pages: LatePages;
  readonly #book = new ExchangeBook();
  readonly #cases = new Map<string, AlarmCase>();
  readonly #timers: AlarmTimers;
  readonly #turn: Turn;
  readonly #touched = new Set<AlarmCase>();
  /** How the parts of a split request came, until the request is whole or its time is over. */
  readonly #collecting = new Map<string, IncomingAlarm>();
  /** A heartbeat of a device: supervision starts anew. */
  onHeartbeat: (seen: DeviceSeen) => void = () => {};

  constructor(
    ports: RuntimePorts,
    parts: {
      readonly file: AlarmFile;
      readonly alarms: PlatformAlarmDesk;
      readonly reply: DeviceReply;
      readonly intake: AlarmIntake;
      readonly pages: LatePages;
    },
  ) {
    this.#ports = ports;
    this.#file = parts.file;
    this.#alarms = parts.alarms;
    this.#reply = parts.reply;
    this.#intake = parts.intake;
    this.#pages = parts.pages;
    this.#timers = new AlarmTimers(ports.clock.monoMs());
    this.#turn = new Turn(
      () => this.#keepTouched(),
      (cause) => ports.log('error', 'a defect met an alarm session', { cause: describe(cause) }),
    );
  }

  /** Running alarm sessions. */
  get size(): number {
    return this.#cases.size;
  }

  receive(alarm: IncomingAlarm): void {
    this.#turn.next(() => {
      const effects = this.#book.receive(alarm.decoded, {
        at: this.#now(),
        to: alarm.way.id,
        scope: alarm.bridge.id,
        profile: alarm.profile,
        fromUser: alarm.fromUser,
        ...(alarm.heartbeatIntervalMs === undefined
          ? {}
          : { heartbeatIntervalMs: alarm.heartbeatIntervalMs }),
      });
      this.#performBook(effects, alarm);
    });
  }

  get nextDueMs(): number | undefined {
    return this.#timers.nextDueMs;
  }

  advance(nowMs: number): void {
    for (const due of this.#timers.advance(nowMs)) {
      if (due.of === 'exchange') this.#exchange(due.exchange, { type: 'timer', at: nowMs, timer: due.timer });
      else this.#session(due.exchange, { type: 'timer', at: nowMs, timer: due.timer });
    }
  }

  /** Takes back what an earlier life was doing: repeats get their answers, open alarms go on. */
  restore(): void {
    for (const { row, stored } of storedCases(this.#ports)) {
      const open = !row.closed && stored.session !== undefined && stored.facts !== undefined;
      // A row of a part holds an exchange and no session yet.
      const session = open ? restoreSession(stored.session) : undefined;
      if (session !== undefined && stored.facts !== undefined) {
        const known = this.#file.reopen(stored.exchange.id, stored.facts, session, stored.pages);
        this.#cases.set(known.exchange, known);
      } else if (!row.closed) this.#file.partsKnown(stored.exchange.id);
      this.#turn.next(() => this.#performBook(this.#book.restore([stored.exchange], this.#now()), undefined));
      if (open) this.#session(stored.exchange.id, { type: 'recovered', at: this.#now() });
    }
  }

  #exchange(id: string, input: Parameters<ExchangeBook['input']>[1]): void {
    this.#turn.next(() => this.#performBook(this.#book.input(id, input), undefined));
  }

  #session(id: string, input: SessionInput): void {
    this.#turn.next(() => {
      const known = this.#cases.get(id);
      if (known === undefined) return;
      const { state, effects } = step(known.session, input);
      known.session = state;
      for (const effect of effects) this.#performSession(known, effect);
      this.#touched.add(known);
    });
  }

  #performBook(effects: readonly BookEffect[], alarm: IncomingAlarm | undefined): void {
    for (const effect of effects) this.#performExchange(effect, alarm);
  }

  #performExchange(effect: BookEffect, alarm: IncomingAlarm | undefined): void {
    const { exchange } = effect;
    const known = exchange === null ? undefined : this.#cases.get(exchange);
    const trace = known?.trace ?? alarm?.trace;
    switch (effect.type) {
      case 'answer':
        this.#reply.answer(effect, trace);
        if (known === undefined) this.#pages.add(trace?.takePage() ?? []);
        else known.dirty = true;
        return;
      case 'silence':
        this.#reply.silence(effect.to);
        trace?.add('note', { text: effect.reason });
        return;
      case 'event':
        if (exchange !== null) this.#event(exchange, effect, known, alarm);
        return;
      case 'storePart':
        if (exchange !== null) {
          if (alarm !== undefined) this.#collecting.set(exchange, alarm);
          this.#ports.run(this.#storePart(exchange, effect.part));
        }
        return;
      case 'keep':
        if (known !== undefined) known.dirty = true;
        else if (exchange !== null)
          this.#ports.log('debug', 'an exchange without a case changed', { exchange });
        return;
      case 'heartbeat':
        if (alarm !== undefined) {
          const { bridge, fromUser: callingParty } = alarm;
          this.onHeartbeat({ ...effect, bridge, callingParty });
        }
        return;
      case 'answered':
        if (known !== undefined)
          this.#session(known.exchange, { type: 'answered', at: this.#now(), voice: effect.voice });
        return;
      case 'deviceGone':
        if (known !== undefined)
          this.#session(known.exchange, { type: 'deviceGone', at: this.#now(), reason: effect.reason });
        return;
      case 'raise':
        trace?.add('alarmRaised', {
          type: effect.alarm.type,
          error: effect.alarm.error,
          reason: effect.alarm.reason,
        });
        this.#alarms.raiseFor(effect.alarm, known?.facts, trace?.traceId, alarm?.raw);
        return;
      case 'startTimer':
        if (exchange !== null)
          this.#timers.start({ of: 'exchange', exchange, timer: effect.timer }, this.#now() + effect.ms);
        return;
      case 'stopTimer':
        if (exchange !== null) this.#timers.stop({ of: 'exchange', exchange, timer: effect.timer });
        return;
      case 'trace':
        trace?.add('note', { text: effect.text });
        return;
    }
  }

  #performSession(known: AlarmCase, effect: SessionEffect): void {
    const at = this.#now();
    switch (effect.type) {
      case 'store':
        this.#ports.run(this.#store(known, effect));
        return;
      case 'durable':
        this.#exchange(known.exchange, { type: 'stored', at, ordinal: effect.ordinal });
        return;
      case 'abandon':
        known.trace.add('notStored', { reason: effect.reason });
        this.#exchange(known.exchange, { type: 'storeFailed', at, ordinal: effect.ordinal });
        return;
      case 'liveCallback':
        this.#ports.run(this.#liveCallback(known, effect.ordinal, effect.timeoutMs));
        return;
      case 'recordCallback':
        this.#file.record(known, effect.ordinal, effect.late);
        return;
      case 'decide':
        known.trace.add('decided', { ...effect.decision });
        this.#exchange(known.exchange, { type: 'decision', at, decision: effect.decision });
        return;
      case 'raise':
        known.trace.add('alarmRaised', {
          type: effect.alarm.type,
          error: effect.alarm.error,
          reason: effect.alarm.reason,
        });
        this.#alarms.raiseFor(effect.alarm, known.facts, known.facts.traceId);
        return;
      case 'startTimer':
        this.#timers.start(
          { of: 'session', exchange: known.exchange, timer: effect.timer },
          this.#now() + effect.ms,
        );
        return;
      case 'stopTimer':
        this.#timers.stop({ of: 'session', exchange: known.exchange, timer: effect.timer });
        return;
      case 'trace':
        known.trace.add('note', { text: effect.text });
        return;
      case 'end':
        known.trace.add('sessionEnded', { outcome: effect.outcome });
        this.#exchange(known.exchange, { type: 'sessionEnded', at });
        known.dirty = true;
        return;
      case 'callDevice':
      case 'join':
      case 'deviceCommand':
      case 'commandRefused':
      case 'hangUp':
        // Speech is set up by the devices themselves until this appliance carries calls: there is no leg to act on.
        known.trace.add('note', { text: `${effect.type}: no call runs through this appliance` });
        return;
    }
  }

  /** An event of a device, settled against what is provisioned: an input of its session, which it may open. */
  #event(
    exchange: string,
    said: BookEffect & { readonly type: 'event' },
    known: AlarmCase | undefined,
    alarm: IncomingAlarm | undefined,
  ): void {
    const came = alarm ?? this.#collecting.get(exchange);
    this.#collecting.delete(exchange);
    let admitted: ReturnType<AlarmIntake['admit']>;
    try {
      admitted = this.#intake.admit(said, known, came, this.#book.keep(exchange));
    } catch (cause) {
      // A defect of ours must not make this reference deaf: nothing is acknowledged, and the repeat is a new chance.
      this.#ports.log('error', 'a defect met an alarm event', { cause: describe(cause) });
      this.#exchange(exchange, { type: 'storeFailed', at: this.#now(), ordinal: said.ordinal });
      return;
    }
    if (admitted === undefined) {
      // No acknowledge, and the device tries its next receiver. What it was told of as taken stays on the disk.
      this.#exchange(exchange, { type: 'sessionEnded', at: this.#now() });
      const { raw, fields } = said.source;
      const reason = 'the alarm bridge that began to take a split alarm is gone';
      this.#alarms.raise({
        type: 'serviceAlarm',
        error: 'noReceiver',
        errorDetails: { reason, raw, fields },
      });
      return;
    }
    this.#cases.set(exchange, admitted.known);
    const { ordinal, kind, source } = said;
    const { event, offer } = admitted;
    this.#session(exchange, { type: 'event', at: this.#now(), ordinal, kind, event, source, offer });
  }

  async #store(known: AlarmCase, effect: SessionEffect & { type: 'store' }): Promise<void> {
    const startMs = this.#now();
    const { ordinal } = effect;
    try {
      const exchange = this.#book.keep(known.exchange);
      if (exchange === undefined) throw new Error('the exchange is gone');
      const eventId = await this.#file.store(known, effect, this.#row(known, exchange));
      known.trace.add('stored', { eventId, tookMs: this.#now() - startMs });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      this.#ports.log('error', 'an alarm event could not be stored', { reason });
      this.#session(known.exchange, { type: 'storeFailed', at: this.#now(), ordinal, reason });
      return;
    }
    this.#session(known.exchange, { type: 'stored', at: this.#now(), ordinal });
  }

  async #liveCallback(known: AlarmCase, ordinal: number, timeoutMs: number): Promise<void> {
    const answer = await this.#file.live(known, ordinal, timeoutMs);
    const at = this.#now();
    if (answer.ok) this.#session(known.exchange, { type: 'callbackAnswered', at, body: answer.value });
    else this.#session(known.exchange, { type: 'callbackFailed', at, reason: answer.error.reason });
  }

  async #storePart(exchange: string, part: string): Promise<void> {
    const kept = this.#book.keep(exchange);
    try {
      if (kept === undefined) throw new Error('the exchange is gone');
      await this.#file.storePart(kept);
      this.#exchange(exchange, { type: 'partStored', at: this.#now(), part });
    } catch {
      this.#exchange(exchange, { type: 'partStoreFailed', at: this.#now(), part });
      // It was the only part: no event will come and take these away.
      if (this.#book.keep(exchange)?.snapshot.exchange.state === 'closed') {
        this.#collecting.delete(exchange);
        this.#file.partsGone(exchange);
      }
    }
  }

  #keepTouched(): void {
    const touched = [...this.#touched];
    this.#touched.clear();
    for (const known of touched) this.#keep(known);
  }

  /** Commits what changed behind the answers; a repeat after a crash then gets the same answer. */
  #keep(known: AlarmCase): void {
    const { session, settled } = known;
    if (known.dirty) {
      known.dirty = false;
      known.settled = [];
      const exchange = this.#book.keep(known.exchange);
      const row =
        exchange === undefined ? [] : [{ kind: 'session', row: this.#row(known, exchange) } as const];
      this.#ports.run(this.#ports.journal.commit([...row, ...settled, ...known.trace.takePage()]));
    }
    // A live request that is still out decides whether its callback becomes a record.
    const over = session.state === 'closed' && !session.callbackOut && session.pending.length === 0;
    if (over) this.#cases.delete(known.exchange);
  }

  #row(known: AlarmCase, exchange: NonNullable<ReturnType<ExchangeBook['keep']>>) {
    const nowMs = this.#ports.clock.wallMs();
    return sessionRow(known.facts, known.session, exchange, {
      nowMs,
      dedupeUntilMs: nowMs + ANSWER_KEPT_MS,
      pages: known.trace.pages + 1,
    });
  }

  #now(): number {
    return this.#ports.clock.monoMs();
  }
}

const describe = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
