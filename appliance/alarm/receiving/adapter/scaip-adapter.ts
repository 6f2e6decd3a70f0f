import { uuid } from '#shared/id.ts';
import { Listeners } from '#shared/listeners.ts';
import type { Result } from '#shared/result.ts';
import type { JournalPorts, JournalWrite, SessionRow } from '../../../delivery/outbox/index.ts';
import type { PlatformAlarms } from '../../../delivery/platform-alarms.ts';
import type { TraceWriteBehind } from '../../../delivery/trace-write-behind.ts';
import type { TimerPorts, TimerScope } from '../../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import { SessionTrace } from '../../../kernel/session-trace.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import {
  ExchangeTable,
  type ExchangeTableEffect,
  type PersistedExchange,
  SCAIP_PROFILE,
  type ScaipProfile,
  type ScaipRefusal,
  type ScaipRequest,
} from '../../protocol/scaip/index.ts';
import type { ActiveAlarm } from '../active-alarm.ts';
import type { DeviceSeen } from '../alarm-intake.ts';
import type { AlarmSessions } from '../alarm-sessions.ts';
import { type Arrival, originOf } from '../arrival.ts';
import type {
  AdapterInput,
  PersistedAdapterState,
  ProtocolAdapter,
  RestoredAdapterState,
} from '../protocol-adapter.ts';
import type { DeviceReply, DeviceReplyPath } from './device-reply.ts';
import { partRow, partRowOver, StoredParts } from './stored-part.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts & JournalPorts;

/** One SCAIP body, past authentication, on its way to its exchange. */
export interface IncomingScaip extends Arrival {
  readonly decoded: Result<ScaipRequest, ScaipRefusal>;
  readonly raw: string;
  readonly profile: ScaipProfile;
  readonly replyPath: DeviceReplyPath;
  readonly heartbeatIntervalMs: number | undefined;
}

const ANSWER_KEPT_MS = 30 * 60_000;

/** Joins the exchanges with SCAIP devices to the alarm sessions behind them and to the ways back. */
export class ScaipAdapter implements ProtocolAdapter {
  readonly name = 'scaip';
  readonly #ports: Ports;
  readonly #alarmSessions: AlarmSessions;
  readonly #alarms: PlatformAlarms;
  readonly #reply: DeviceReply;
  readonly #pages: TraceWriteBehind;
  readonly #exchanges = new ExchangeTable();
  readonly #timers: TimerScope<Extract<ExchangeTableEffect, { type: 'startTimer' }>['timer']>;
  /** How the parts of a split request came, until the request is whole or its time is over. */
  readonly #collecting = new Map<string, IncomingScaip>();
  /** Exchanges with parts on the disk whose event is not. */
  readonly repeats = new StoredParts();
  /** A heartbeat of a device: supervision starts again. */
  readonly heartbeat = new Listeners<[seen: DeviceSeen]>();

  constructor(
    ports: Ports,
    dependencies: {
      readonly alarmSessions: AlarmSessions;
      readonly alarms: PlatformAlarms;
      readonly reply: DeviceReply;
      readonly pages: TraceWriteBehind;
    },
  ) {
    this.#ports = ports;
    this.#alarmSessions = dependencies.alarmSessions;
    this.#alarms = dependencies.alarms;
    this.#reply = dependencies.reply;
    this.#pages = dependencies.pages;
    this.#timers = ports.timers.scope((exchange, timer, nowMs) =>
      this.#step(exchange, { type: 'timer', at: nowMs, timer }),
    );
    this.#alarmSessions.join(this);
  }

  receive(alarm: IncomingScaip): void {
    this.#alarmSessions.turn(() => {
      const effects = this.#exchanges.receive(alarm.decoded, {
        at: this.#now(),
        to: alarm.replyPath.id,
        scope: alarm.bridge.id,
        profile: alarm.profile,
        fromUser: alarm.fromUser,
        origin: originOf(alarm),
        ...(alarm.heartbeatIntervalMs === undefined
          ? {}
          : { heartbeatIntervalMs: alarm.heartbeatIntervalMs }),
      });
      this.#perform(effects, alarm);
    });
  }

  input(exchange: string, input: AdapterInput): void {
    this.#perform(this.#exchanges.input(exchange, { ...input, at: this.#now() }), undefined);
  }

  keep(exchange: string): PersistedAdapterState | undefined {
    const kept = this.#exchanges.keep(exchange);
    return kept && { body: packed(kept), dedupeKey: kept.id, dedupeMs: ANSWER_KEPT_MS };
  }

  alsoStored(exchange: string, session: SessionRow): readonly JournalWrite[] {
    return this.repeats.has(exchange) ? [{ kind: 'session', row: partRowOver(exchange, session) }] : [];
  }

  conversationOf(body: unknown): string | undefined {
    return (body as PersistedExchange | null)?.id;
  }

  restore({ body, waits, came }: RestoredAdapterState): void {
    const kept = unpacked(body as PersistedExchange);
    if (waits) this.repeats.add(kept.id);
    this.#perform(this.#exchanges.restore([kept], this.#now(), came), undefined);
  }

  #step(exchange: string, input: Parameters<ExchangeTable['input']>[1]): void {
    this.#alarmSessions.turn(() => this.#perform(this.#exchanges.input(exchange, input), undefined));
  }

  #perform(effects: readonly ExchangeTableEffect[], alarm: IncomingScaip | undefined): void {
    for (const effect of effects) this.#performOne(effect, alarm);
  }

  #performOne(effect: ExchangeTableEffect, alarm: IncomingScaip | undefined): void {
    const { exchange } = effect;
    const known = exchange === null ? undefined : this.#alarmSessions.caseOf(exchange);
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
          this.#ports.log('debug', 'scaip.exchange_unknown', 'Ignored a change of an unknown exchange', {
            exchange,
          });
        return;
      case 'heartbeat':
        if (alarm !== undefined) {
          const { bridge, fromUser: callingParty } = alarm;
          this.heartbeat.emit({ ...effect, bridge, callingParty });
        }
        return;
      case 'answered':
        if (known !== undefined)
          this.#alarmSessions.input(known.conversation, { type: 'answered', voice: effect.voice });
        return;
      case 'deviceGone':
        if (known !== undefined)
          this.#alarmSessions.input(known.conversation, { type: 'deviceGone', reason: effect.reason });
        return;
      case 'raise': {
        const { type, error, reason } = effect.alarm;
        trace?.add('alarmRaised', { type, error, reason });
        this.#alarms.raiseFor(effect.alarm, known?.facts, trace?.traceId, alarm?.raw);
        return;
      }
      case 'counted':
        if (exchange !== null && alarm !== undefined) this.#alarmSessions.counted(exchange, alarm);
        return;
      case 'startTimer':
        if (exchange !== null) this.#timers.start(exchange, effect.timer, this.#now() + effect.ms);
        return;
      case 'stopTimer':
        if (exchange !== null) this.#timers.stop(exchange, effect.timer);
        return;
      case 'trace':
        trace?.add('note', { text: effect.text });
        return;
    }
  }

  #event(
    exchange: string,
    said: ExchangeTableEffect & { readonly type: 'event' },
    known: ActiveAlarm | undefined,
    alarm: IncomingScaip | undefined,
  ): void {
    const came = alarm ?? this.#collecting.get(exchange);
    this.#collecting.delete(exchange);
    const arrival = came ?? (known === undefined ? this.#arrivalOf(exchange) : undefined);
    this.#alarmSessions.event(this, { conversation: exchange, said, arrival });
  }

  /** A request that an earlier life had begun to collect: its parts are known, how they came is not. */
  #arrivalOf(exchange: string): Arrival | undefined {
    const kept = this.#exchanges.keep(exchange);
    const bridge = kept && this.#ports.tenant().bridge(kept.scope);
    if (bridge === undefined || kept === undefined) return undefined;
    const trace = new SessionTrace(uuid(this.#ports.random(16)), this.#ports.traceMs, this.#ports.sessions);
    const fromUser = kept.came?.fromUser ?? kept.snapshot.exchange.cid;
    const { address: sourceIp = '', proof } = kept.came?.origin ?? {};
    const proven = proof === undefined ? {} : { proof };
    return { protocol: 'scaip', bridge, fromUser, calledParty: '', sourceIp, ...proven, trace };
  }

  /** A part of a split request is kept with its exchange until the rest has come. */
  async #storePart(exchange: string, part: string): Promise<void> {
    const kept = this.#exchanges.keep(exchange);
    try {
      if (kept === undefined) throw new Error('the exchange does not exist');
      this.repeats.add(exchange);
      const row = partRow(kept.id, packed(kept), this.#ports.clock.wallMs());
      await this.#ports.journal.commit([{ kind: 'session', row }]);
      this.#step(exchange, { type: 'partStored', at: this.#now(), part });
    } catch {
      this.#step(exchange, { type: 'partStoreFailed', at: this.#now(), part });
      // It was the only part: no event will come and take these away.
      if (this.#exchanges.keep(exchange)?.snapshot.exchange.state === 'closed') {
        this.#collecting.delete(exchange);
        this.repeats.delete(exchange);
      }
    }
  }

  #now(): number {
    return this.#ports.clock.monoMs();
  }
}

type Profile = PersistedExchange['snapshot']['exchange']['profile'];

const withProfile = (kept: PersistedExchange, profile: Profile | null): PersistedExchange => ({
  ...kept,
  snapshot: { ...kept.snapshot, exchange: { ...kept.snapshot.exchange, profile: profile as Profile } },
});

/** The built-in profile is written as null: every byte is written twice for each alarm and synced each time. */
const packed = (kept: PersistedExchange): PersistedExchange =>
  kept.snapshot.exchange.profile === SCAIP_PROFILE ? withProfile(kept, null) : kept;

const unpacked = (kept: PersistedExchange): PersistedExchange =>
  (kept.snapshot.exchange.profile as Profile | null) === null ? withProfile(kept, SCAIP_PROFILE) : kept;
