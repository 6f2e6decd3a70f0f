import type {
  ExchangeTableEffect,
  PersistedExchange,
  ScaipContext,
  ScaipProfile,
  ScaipResponse,
} from '#appliance/alarm/protocol/scaip/index.ts';
import { decodeRequest, ExchangeTable, SCAIP_PROFILE } from '#appliance/alarm/protocol/scaip/index.ts';
import type { SessionEffect, SessionSetting } from '#appliance/alarm/session/index.ts';
import * as session from '#appliance/alarm/session/index.ts';
import { type AlarmEvent, type ReceivedAlarmEvent, receivedForm } from '#shared/alarm-event/index.ts';

/** Actions of the application, the disk and the device in one test. */
export interface RoomSetting {
  readonly setting?: Partial<SessionSetting>;
  readonly profile?: ScaipProfile;
  readonly heartbeatIntervalMs?: number;
  /** Answer of the application; `failed`: none. After `callbackAfterMs`. */
  callback?: unknown;
  readonly callbackAfterMs?: number;
  /** The disk takes this long, and may refuse. */
  readonly storeAfterMs?: number;
  readonly storeFails?: (ordinal: number) => boolean;
  readonly scope?: string;
}

interface Kept {
  readonly exchange: PersistedExchange;
  readonly session: session.AlarmSession | undefined;
}

interface Due {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  readonly key?: string;
}

/** Every device of the room has this address. */
export const FROM = { address: '192.0.2.50' };

/** The alarm cores joined as the runtime joins them, on a clock that only the test moves. */
export class AlarmRoom {
  now = 1_000_000;
  exchanges = new ExchangeTable();
  sessions = new Map<string, session.AlarmSession>();
  /** Every answer that the device got, in order. */
  readonly answers: (ScaipResponse & { readonly xml: string; readonly to: readonly string[] })[] = [];
  readonly silences: string[] = [];
  /** Events as delivered to the application, each once, live or as record. */
  readonly delivered: { readonly event: ReceivedAlarmEvent; readonly how: 'live' | 'record' | 'late' }[] = [];
  readonly alarms: string[] = [];
  readonly heartbeats: string[] = [];
  readonly ends: string[] = [];
  /** Everything in order, for order-sensitive tests. */
  readonly log: string[] = [];
  /** Remains of a crash: committed states, and callbacks that no application has taken yet. */
  readonly #disk = new Map<string, Kept>();
  readonly #outbox = new Map<string, AlarmEvent>();
  /** Events that were committed. */
  storedEvents = 0;
  #due: Due[] = [];
  readonly #waiting: (() => void)[] = [];
  #busy = false;
  /** Changed by the inputs at hand; kept once all is quiet, exchange and session together. */
  readonly #touched = new Set<string>();
  #order = 0;
  #sources = 0;
  readonly given: RoomSetting;

  constructor(given: RoomSetting = {}) {
    this.given = given;
  }

  send(xml: string, context: Partial<ScaipContext> = {}): void {
    const effects = this.exchanges.receive(decodeRequest(xml), {
      at: this.now,
      to: `way${this.#sources++}`,
      scope: this.given.scope ?? 'care.example/bridge',
      profile: this.given.profile ?? SCAIP_PROFILE,
      origin: FROM,
      ...(this.given.heartbeatIntervalMs !== undefined && {
        heartbeatIntervalMs: this.given.heartbeatIntervalMs,
      }),
      ...context,
    });
    this.#next(() => this.#perform(effects));
    this.run(0);
  }

  input(key: string, input: session.SessionInput): void {
    this.#next(() => this.#sessionInput(key, input));
  }

  #exchangeInput(id: string, input: Parameters<ExchangeTable['input']>[1]): void {
    this.#next(() => this.#perform(this.exchanges.input(id, input)));
  }

  /** One input at a time to completion, then those its effects have brought about. */
  #next(work: () => void): void {
    this.#waiting.push(work);
    if (this.#busy) return;
    this.#busy = true;
    for (let one = this.#waiting.shift(); one !== undefined; one = this.#waiting.shift()) one();
    this.#busy = false;
    for (const key of this.#touched) if (this.#disk.has(key)) this.#keep(key);
    this.#touched.clear();
  }

  #sessionInput(key: string, input: session.SessionInput): void {
    const before = this.sessions.get(key) ?? session.initial(this.given.setting);
    const { state, effects } = session.step(before, input);
    this.sessions.set(key, state);
    for (const effect of effects) this.#session(key, effect);
  }

  /** Lets `ms` pass, timers and all. */
  run(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      const next = this.#due
        .filter(({ at }) => at <= until)
        .sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (next === undefined) break;
      this.#due.splice(this.#due.indexOf(next), 1);
      this.now = Math.max(this.now, next.at);
      next.run();
    }
    this.now = until;
  }

  /** The process dies and comes back with what was on the disk; the outbox delivers what no application took. */
  restart(): void {
    this.#due = [];
    this.exchanges = new ExchangeTable();
    this.sessions = new Map();
    for (const key of [...this.#outbox.keys()]) this.#deliver(key, 'late');
    const kept = JSON.parse(JSON.stringify([...this.#disk])) as [string, Kept][];
    for (const [key, { exchange, session: stored }] of kept) {
      this.#perform(this.exchanges.restore([exchange], this.now, { origin: FROM }));
      const restored = stored && session.restore(stored);
      if (restored === undefined) continue;
      this.sessions.set(key, restored);
      this.input(key, { type: 'recovered', at: this.now, ageMs: this.now });
    }
    this.run(0);
  }

  #kept(key: string): Kept | undefined {
    const exchange = this.exchanges.keep(key);
    const known = this.sessions.get(key);
    return exchange && JSON.parse(JSON.stringify({ exchange, session: known && session.snapshot(known) }));
  }

  #keep(key: string, kept = this.#kept(key)): void {
    if (kept !== undefined) this.#disk.set(key, kept);
  }

  #deliver(key: string, how: 'live' | 'record' | 'late'): void {
    const event = this.#outbox.get(key);
    if (event === undefined) return;
    this.#outbox.delete(key);
    this.delivered.push({ event: receivedForm(event), how });
  }

  get only(): string {
    const [key] = this.sessions.keys();
    return key ?? '';
  }

  #later(ms: number, run: () => void, key?: string): void {
    this.#due.push({ at: this.now + ms, order: this.#order++, run, ...(key !== undefined && { key }) });
  }

  #cancel(key: string): void {
    this.#due = this.#due.filter((due) => due.key !== key);
  }

  #perform(effects: readonly ExchangeTableEffect[]): void {
    for (const effect of effects) {
      const id = effect.exchange ?? '';
      switch (effect.type) {
        case 'answer':
          this.log.push(`answer ${effect.response.snu}`);
          this.answers.push({ ...effect.response, xml: effect.xml, to: effect.to });
          break;
        case 'silence':
          this.silences.push(effect.reason);
          break;
        case 'event':
          this.input(id, { ...effect, type: 'event', at: this.now });
          break;
        case 'storePart': {
          const kept = this.#kept(id);
          this.#later(this.given.storeAfterMs ?? 0, () => {
            const failed = this.given.storeFails?.(-1) ?? false;
            if (!failed) {
              this.#keep(id, kept);
              this.log.push('part on disk');
            }
            const type = failed ? 'partStoreFailed' : 'partStored';
            this.#exchangeInput(id, { type, at: this.now, part: effect.part });
          });
          break;
        }
        case 'heartbeat':
          this.heartbeats.push(effect.controllerId);
          break;
        case 'answered':
          this.input(id, { type: 'answered', at: this.now, voice: effect.voice });
          break;
        case 'deviceGone':
          this.input(id, { type: 'deviceGone', at: this.now, reason: effect.reason });
          break;
        case 'raise':
          this.alarms.push(effect.alarm.error ?? effect.alarm.type);
          break;
        case 'startTimer':
          this.#cancel(`${id} ${effect.timer}`);
          this.#later(
            effect.ms,
            () => this.#exchangeInput(id, { type: 'timer', at: this.now, timer: effect.timer }),
            `${id} ${effect.timer}`,
          );
          break;
        case 'stopTimer':
          this.#cancel(`${id} ${effect.timer}`);
          break;
        case 'keep':
          this.#touched.add(id);
          break;
        case 'trace':
          break;
      }
    }
  }

  #session(key: string, effect: SessionEffect): void {
    this.log.push(effect.type);
    switch (effect.type) {
      case 'store': {
        const kept = this.#kept(key);
        this.#later(this.given.storeAfterMs ?? 0, () => {
          const { ordinal } = effect;
          if (this.given.storeFails?.(ordinal)) {
            this.input(key, { type: 'storeFailed', at: this.now, ordinal, reason: 'disk full' });
            return;
          }
          this.#keep(key, kept);
          this.#outbox.set(`${key} ${ordinal}`, effect.event);
          this.storedEvents++;
          this.log.push('on disk');
          this.input(key, { type: 'stored', at: this.now, ordinal });
        });
        break;
      }
      case 'durable':
        this.#exchangeInput(key, { type: 'stored', at: this.now, ordinal: effect.ordinal });
        break;
      case 'abandon':
        this.#exchangeInput(key, { type: 'storeFailed', at: this.now, ordinal: effect.ordinal });
        break;
      case 'liveCallback': {
        const { callback, callbackAfterMs } = this.given;
        if (callback === 'never') break;
        this.#later(callbackAfterMs ?? 0, () => {
          if (callback === 'failed') {
            this.input(key, { type: 'callbackFailed', at: this.now, reason: 'connection refused' });
            return;
          }
          this.#deliver(`${key} ${effect.ordinal}`, 'live');
          this.input(key, { type: 'callbackAnswered', at: this.now, body: callback });
        });
        break;
      }
      case 'recordCallback':
        this.#deliver(`${key} ${effect.ordinal}`, effect.late ? 'late' : 'record');
        break;
      case 'decide':
        this.#exchangeInput(key, { type: 'decision', at: this.now, decision: effect.decision });
        break;
      case 'raise':
        this.alarms.push(effect.alarm.error ?? effect.alarm.type);
        break;
      case 'startTimer':
        this.#cancel(`${key} s ${effect.timer}`);
        this.#later(
          effect.ms,
          () => this.input(key, { type: 'timer', at: this.now, timer: effect.timer }),
          `${key} s ${effect.timer}`,
        );
        break;
      case 'stopTimer':
        this.#cancel(`${key} s ${effect.timer}`);
        break;
      case 'end':
        this.ends.push(effect.outcome);
        this.#touched.add(key);
        this.#exchangeInput(key, { type: 'sessionEnded', at: this.now });
        break;
      default:
        break;
    }
  }
}
