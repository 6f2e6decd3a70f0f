import { ulid, uuid } from '#shared/id.ts';
import { Listeners } from '#shared/listeners.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { noteQueuedCallback } from '../../../delivery/callback-trace.ts';
import {
  type JournalPorts,
  type JournalWrite,
  type OutboxRow,
  sessionRank,
} from '../../../delivery/outbox/index.ts';
import { defectDetail, ofSession } from '../../../kernel/defect.ts';
import type { TimerPorts, TimerScope } from '../../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import { SessionTrace } from '../../../kernel/session-trace.ts';
import { Turn } from '../../../kernel/turn.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import {
  type SendingEffect,
  type SendingInput,
  type SendingTimer,
  sendingSession,
  stepSendingSession,
} from '../../sender/index.ts';
import type { AttemptPlan, AttemptUser } from '../attempt/attempt.ts';
import type { Attempts } from '../attempt/attempts.ts';
import { nativeForm } from '../order/native-form.ts';
import type { SendOrder } from '../order/send-order.ts';
import { addressOf, type SendTarget, targetOf } from '../order/send-target.ts';
import {
  type ActiveSending,
  type Idempotency,
  newRef,
  openingOf,
  type SendingInfo,
  type StoredSending,
  sendingRow,
} from './active-sending.ts';
import { IdempotencyKeys } from './idempotency-key.ts';
import type { SendProgress } from './send-report.ts';
import { SendingArrivals } from './sending-arrival.ts';
import type { PreparedSending, SendingOutcome, SendingSessionsDependencies } from './sending-port.ts';
import { SendingRestore } from './sending-restore.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts & JournalPorts;

/** `Chosen:` events under way at once; beyond, the answer to a request is to come again. */
const MOST = 20_000;

/**
 * Owns every event on its way to a receiver. A session is on the disk before any answer says that it was taken, every step that
 * a restart needs is written, and its result is a callback in the commit that ends it.
 */
export class SendingSessions {
  readonly attempts: Attempts;
  readonly arrivals: SendingArrivals;
  readonly #ports: Ports;
  readonly #dependencies: SendingSessionsDependencies;
  readonly #cases = new Map<string, ActiveSending>();
  readonly #keys = new IdempotencyKeys();
  readonly #timers: TimerScope<SendingTimer>;
  readonly #turn: Turn;
  readonly #touched = new Map<ActiveSending, OutboxRow[]>();
  readonly #restore: SendingRestore;
  /** Emitted once for each session: a forwarded alarm gets its answer to the device by it. */
  readonly settled = new Listeners<[facts: SendingInfo, outcome: SendingOutcome]>();

  constructor(ports: Ports, dependencies: SendingSessionsDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#timers = ports.timers.scope((owner, timer) => this.#input(owner, { type: 'timer', timer }));
    this.#turn = new Turn(
      () => this.#keepTouched(),
      (cause) =>
        ports.log('error', 'sending_session.defect_caught', 'Caught a defect in the sending of an alarm', {
          ...defectDetail(cause),
        }),
    );
    this.#restore = new SendingRestore(ports, (stored, atLast) => this.#resume(stored, atLast));
    this.attempts = dependencies.attempts((work) => this.turn(work));
    this.arrivals = new SendingArrivals(this.#cases, (id) => this.#input(id, { type: 'called' }));
  }

  get size(): number {
    return this.#cases.size + this.#restore.size;
  }

  get sessionIds(): readonly string[] {
    return [...this.#cases.keys(), ...this.#restore.sessionIds];
  }

  turn(work: () => void): void {
    this.#turn.next(work);
  }

  bySession(sessionId: string): ActiveSending | undefined {
    return this.#cases.get(sessionId);
  }

  known(idempotency: Idempotency): ReturnType<IdempotencyKeys['known']> {
    return this.#keys.known(idempotency);
  }

  /** Stores the event; from there on it goes out whatever happens. */
  async accept(
    order: SendOrder,
    asked: { readonly traceId?: string; readonly idempotency?: Idempotency },
  ): Promise<Result<SendingInfo, Failure<'noRoute' | 'overloaded' | 'storeFailed'>>> {
    if (this.#cases.size >= MOST)
      return fail('overloaded', `${MOST} events are on their way; send this one again in a while`);
    const prepared = this.prepare(order, asked);
    if (!prepared.ok) return prepared;
    const { facts, writes, begin } = prepared.value;
    this.#keys.keep(facts, this.#ports.clock.wallMs());
    try {
      await this.#ports.journal.commit(writes);
    } catch (cause) {
      this.#keys.drop(facts);
      const reason = cause instanceof Error ? cause.message : String(cause);
      return fail('storeFailed', `the event could not be stored and is not sent: ${reason}`);
    }
    begin();
    return ok(facts);
  }

  /** A session that the caller commits together with the alarm that it came from. */
  prepare(
    order: SendOrder,
    { traceId, idempotency }: { readonly traceId?: string; readonly idempotency?: Idempotency },
  ): Result<PreparedSending, Failure<'noRoute'>> {
    const target = targetOf(order, this.#ports.tenant());
    if (!target.ok) return target;
    const { clock, random } = this.#ports;
    const wallMs = clock.wallMs();
    const facts: SendingInfo = {
      sessionId: ulid(wallMs, random(10)),
      traceId: traceId ?? uuid(random(16)),
      protocol: target.value.protocol,
      createdMs: wallMs,
      order,
      reference: {
        ref: newRef(random(16)),
        sequence: this.#dependencies.nextSequence(),
        atMs: wallMs,
      },
      ...(idempotency !== undefined && { idempotency }),
    };
    const known = this.#case(facts, target.value);
    return ok({
      facts,
      writes: [this.#state(known)],
      begin: () => this.#begin(known, { type: 'start' }),
    });
  }

  /** Ends what is on its way; nothing when it is over already. */
  cancel(sessionId: string, reason: string): void {
    this.#input(sessionId, { type: 'cancel', reason });
  }

  /**
   * Takes up the sendings of an earlier run. `only`: these sessions, of another host that has failed. `later`: they wait for
   * `goOn`.
   */
  restore(which: { readonly only?: ReadonlySet<string>; readonly later?: boolean } = {}): void {
    this.#restore.begin(({ facts }) => this.#keys.keep(facts, this.#ports.clock.wallMs()), which);
  }

  /** The configuration changed: events of an earlier run may go on. */
  follow(): void {
    this.#restore.follow();
  }

  /** Requests can leave from now on. */
  goOn(): void {
    this.#restore.goOn();
  }

  /** False: its event sender is not there. */
  #resume(stored: StoredSending, atLast: boolean): boolean {
    const { facts, session, told, pages, states } = stored;
    const target = targetOf(facts.order, this.#ports.tenant());
    if (!target.ok && !atLast) return false;
    const known = this.#case(facts, target.ok ? target.value : undefined, pages);
    Object.assign(known, { session, told, states });
    known.facts = { ...facts, restarts: (facts.restarts ?? 0) + 1 };
    known.trace.add('note', { text: 'it was under way when its appliance ended; the event is sent again' });
    if (target.ok && facts.order.selfTest !== true) {
      const leftMs = facts.createdMs + session.setting.deadlineMs - this.#ports.clock.wallMs();
      this.#begin(known, { type: 'recovered', leftMs });
    } else {
      this.#cases.set(facts.sessionId, known);
      if (facts.order.selfTest !== true) known.trace.open(openingOf(known.facts, known.target));
      const reason = target.ok ? 'the self-test ended with its program' : target.error.reason;
      this.#input(facts.sessionId, { type: 'cancel', reason });
    }
    return true;
  }

  #case(facts: SendingInfo, target: SendTarget | undefined, pages = 0): ActiveSending {
    const trace = new SessionTrace(facts.traceId, this.#ports.traceMs, this.#ports.sessions);
    trace.belongsTo(facts.sessionId, pages);
    const form = target && nativeForm(target, facts.order, facts.reference, this.#dependencies.profiles);
    const unknown = target?.mapper?.unknownAlarmEventVoiceDestination;
    return {
      facts,
      trace,
      target,
      form: form?.ok === true ? form.value : undefined,
      attempt: undefined,
      callbacks: 0,
      states: 0,
      session: sendingSession({
        hasBackup: target?.addresses.backup !== undefined,
        ...(target !== undefined && { deadlineMs: target.deadlineMs }),
        ...(unknown !== undefined && { unknownAlarmEventVoiceDestination: unknown }),
      }),
    };
  }

  #begin(known: ActiveSending, input: SendingInput): void {
    this.#cases.set(known.facts.sessionId, known);
    if (known.facts.order.selfTest !== true) known.trace.open(openingOf(known.facts, known.target));
    // An event begins only after its commit.
    if (input.type === 'start') known.trace.add('stored', { eventId: known.facts.sessionId });
    if (known.form !== undefined || known.target === undefined) {
      this.#input(known.facts.sessionId, input);
      return;
    }
    const form = nativeForm(
      known.target,
      known.facts.order,
      known.facts.reference,
      this.#dependencies.profiles,
    );
    const reason = form.ok ? '' : form.error.reason;
    this.#input(known.facts.sessionId, {
      type: 'failed',
      warning: 'notExpressible',
      reason: `the event cannot be said in ${known.target.protocol}: ${reason}`,
      onward: 'never',
    });
  }

  #input(sessionId: string, input: SendingInput): void {
    const find = () => this.#cases.get(sessionId);
    const work = ofSession(find, (known) => {
      const before = known.session;
      const { state, effects } = stepSendingSession(known.session, input);
      known.session = state;
      const rows = this.#touched.get(known) ?? [];
      for (const effect of effects) this.#perform(known, effect, rows);
      // Attempts and ways are written too: a receiver that was used up is not begun with again after a restart.
      if (before !== state) this.#touched.set(known, rows);
    });
    this.#turn.next(work);
  }

  #perform(known: ActiveSending, effect: SendingEffect, rows: OutboxRow[]): void {
    const { sessionId } = known.facts;
    switch (effect.type) {
      case 'attempt':
        this.#attempt(known, effect);
        return;
      case 'abandon':
        known.attempt?.abandon();
        return;
      case 'startTimer':
        this.#timers.start(sessionId, effect.timer, this.#ports.clock.monoMs() + effect.ms);
        return;
      case 'stopTimer':
        this.#timers.stop(sessionId, effect.timer);
        return;
      case 'alarmQueued':
      case 'alarmSent':
        known.trace.add(effect.type, { alarmString: effect.alarmString, way: effect.way });
        this.#tell(known, rows, {
          kind: effect.type,
          alarmString: effect.alarmString,
          dialogId: this.#dialogs.get(sessionId) ?? '',
        });
        return;
      case 'alarmSendFailure': {
        const { warning, reason } = effect;
        known.trace.add('alarmSendFailure', { warning, reason });
        this.#tell(known, rows, { kind: 'alarmSendFailure', warning, reason });
        this.settled.emit(known.facts, { kind: 'failed', reason });
        return;
      }
      case 'callInstead':
        known.trace.add('note', { text: `the event cannot be said; ${effect.destination} is called` });
        this.#dependencies.callInstead(known, effect.destination);
        return;
      case 'trace':
        known.trace.add('note', { text: effect.text });
        return;
    }
  }

  /** Call or connection that carried an event. */
  readonly #dialogs = new Map<string, string>();

  #tell(known: ActiveSending, rows: OutboxRow[], progress: SendProgress): void {
    const row = this.#dependencies.report.row(known, progress);
    if (row === undefined) return;
    noteQueuedCallback(known.trace, row.dest);
    rows.push(row);
  }

  #attempt(known: ActiveSending, { way }: SendingEffect & { readonly type: 'attempt' }): void {
    const { target, form, facts, trace } = known;
    if (target === undefined || form === undefined) return;
    known.attempt?.abandon();
    this.attempts.forget(facts.sessionId);
    const { sessionId: id, order, reference } = facts;
    const plan: AttemptPlan = { id, order, reference, target, address: addressOf(target, way), form, trace };
    this.#dependencies.controllers.sent(plan, way);
    const arrived = this.arrivals.take(id);
    const joined = arrived === undefined ? this.attempts.joined(plan) : undefined;
    const attempt = joined ?? this.attempts.make(plan, this.#userOf(plan), arrived);
    known.attempt = attempt;
    this.#turn.next(() => attempt.begin());
  }

  /** Reports of an attempt as inputs of the sessions that they name. */
  #userOf(plan: AttemptPlan): AttemptUser {
    const { talks, signOfLife } = this.#dependencies;
    return {
      acknowledged: (id, alarmString, dialogId) => {
        this.#dialogs.set(id, dialogId);
        this.#input(id, { type: 'acknowledged', alarmString });
      },
      queued: (id, alarmString, dialogId) => {
        this.#dialogs.set(id, dialogId);
        this.#input(id, { type: 'queued', alarmString });
      },
      failed: (id, failure) => this.#input(id, { type: 'failed', ...failure }),
      speech: (id, speech) =>
        this.#turn.next(() => {
          const known = this.#cases.get(id);
          if (known === undefined) return;
          talks.begin(known, { ...plan, id, order: known.facts.order, trace: known.trace }, speech);
          this.settled.emit(known.facts, { kind: 'sent', speech });
          if (!talks.has(id)) known.trace.add('sessionEnded', { outcome: 'sent' });
          this.#forget(known);
        }),
      command: (id, command) => talks.command(id, command),
      lineOver: (id, reason, hasHungUp) => talks.lineOver(id, reason, hasHungUp),
      passes: (id) => talks.passes(id),
      signOfLife: (answered, reason) => signOfLife(plan, answered, reason),
      shows: (destination, timeMs) => this.#shows(plan.id, destination, timeMs),
      done: () => undefined,
    };
  }

  /** Only a time that a restart could not tell is worth a write of its own. */
  async #shows(id: string, destination: string, timeMs: number): Promise<void> {
    const known = this.#cases.get(id);
    if (known === undefined || known.facts.reference.shownMs?.[destination] === timeMs) return;
    const { reference } = known.facts;
    const shownMs = { ...reference.shownMs, [destination]: timeMs };
    known.facts = { ...known.facts, reference: { ...reference, shownMs } };
    if (timeMs === reference.atMs) return;
    await this.#ports.journal.commit([this.#state(known)]);
  }

  #keepTouched(): void {
    const touched = [...this.#touched];
    this.#touched.clear();
    for (const [known, rows] of touched) {
      const isOver = known.session.phase === 'over' && !this.#dialogs.has(known.facts.sessionId);
      if (isOver && !this.#dependencies.talks.has(known.facts.sessionId))
        known.trace.add('sessionEnded', { outcome: 'failed' });
      const writes: JournalWrite[] = [
        this.#state(known),
        ...rows.map((each) => ({ kind: 'outbox', row: each }) as const),
        ...known.trace.takePage(),
      ];
      const kept = this.#ports.journal.commit(writes);
      this.#ports.run(
        kept.finally(() => {
          for (const each of rows) this.#dependencies.report.send(each);
        }),
      );
      // A taken event stays until its speech has begun.
      if (isOver) this.#forget(known);
    }
  }

  #state(known: ActiveSending): JournalWrite {
    const rank = sessionRank(this.#ports.place.epoch, ++known.states);
    return { kind: 'session', row: sendingRow(known, this.#ports.clock.wallMs(), rank) };
  }

  #forget({ facts: { sessionId } }: ActiveSending): void {
    this.#cases.delete(sessionId);
    this.#dialogs.delete(sessionId);
  }
}
