import { BoundedMap } from '#shared/bounded-map.ts';
import { Listeners } from '#shared/listeners.ts';
import { type JournalPorts, type SessionRow, sessionRank, statesIn } from '../../delivery/outbox/index.ts';
import type { PlatformAlarms } from '../../delivery/platform-alarms.ts';
import { defectDetail, describeDefect, ofSession } from '../../kernel/defect.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import { ReportMemory } from '../../kernel/report-memory.ts';
import { Turn } from '../../kernel/turn.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { RaisedAlarm, Withdrawal } from '../protocol/index.ts';
import {
  isWaitingOnly,
  restore as restoreSession,
  type SessionEffect,
  type SessionEvent,
  type SessionInput,
  type SessionOutcome,
  step,
  withAlarmQueue,
} from '../session/index.ts';
import type { ActiveAlarm } from './active-alarm.ts';
import type { AlarmIntake } from './alarm-intake.ts';
import type { AlarmJournal } from './alarm-journal.ts';
import { type AlarmQueuePorts, type AlarmSpeech, acceptWritten, type PeopleCalls } from './alarm-speech.ts';
import { type Arrival, originOf } from './arrival.ts';
import { CountedRepeats } from './counted-repeats.ts';
import type { AdapterEvent, AdapterName, ProtocolAdapter } from './protocol-adapter.ts';
import { type PersistedSessions, readStoredAlarms, sessionRow } from './stored-alarm.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts & JournalPorts & AlarmQueuePorts;

/** A person has dealt with the alarm. After any other outcome its device may have to call. */
const DEALT_WITH: readonly SessionOutcome[] = ['handled', 'cleared', 'callCleared'];

/** An input of a session from outside, without its time: this class adds it. */
type Timeless<T> = T extends unknown ? Omit<T, 'at'> : never;

/**
 * Runs the alarm sessions, whatever their protocol: what a session wants done is an input of its front, of the
 * journal, of the application or of a timer. One input runs to completion, then the state is committed.
 */
export class AlarmSessions {
  readonly #ports: Ports;
  readonly #file: AlarmJournal;
  readonly #alarms: PlatformAlarms;
  readonly #intake: AlarmIntake;
  readonly #fronts = new Map<AdapterName, ProtocolAdapter>();
  readonly #cases = new Map<string, ActiveAlarm>();
  readonly #timers: TimerScope<Extract<SessionEffect, { type: 'startTimer' }>['timer']>;
  readonly #turn: Turn;
  readonly #touched = new Set<ActiveAlarm>();
  /** Sessions by conversation, also of those that are over: what a possible repeat names. */
  readonly #sessionOf = new BoundedMap<string, string>(MOST_NAMED);
  readonly #counted: CountedRepeats;
  readonly #storeFailed = new ReportMemory();
  /** The session of an alarm is over, once for each. */
  readonly over = new Listeners<[known: ActiveAlarm]>();
  #speech: AlarmSpeech | undefined;
  #people: PeopleCalls | undefined;

  constructor(
    ports: Ports,
    dependencies: {
      readonly file: AlarmJournal;
      readonly alarms: PlatformAlarms;
      readonly intake: AlarmIntake;
    },
  ) {
    this.#ports = ports;
    this.#file = dependencies.file;
    this.#alarms = dependencies.alarms;
    this.#intake = dependencies.intake;
    this.#counted = new CountedRepeats(ports, dependencies.alarms);
    this.#timers = ports.timers.scope((owner, timer) => this.input(owner, { type: 'timer', timer }));
    this.#turn = new Turn(
      () => this.#keepTouched(),
      (cause) =>
        ports.log('error', 'alarm_session.defect_caught', 'Caught a defect in an alarm session', {
          ...defectDetail(cause),
        }),
    );
  }

  /** Once: people of emergency lists are called from now on. */
  callPeopleBy(people: PeopleCalls): void {
    this.#people = people;
  }

  /** Once: speech of alarms is carried from now on. */
  speakBy(speech: AlarmSpeech): void {
    this.#speech = speech;
  }

  /** Alarms that begin from now on go there in an emergency, whatever is provisioned; undefined: as provisioned. */
  set fallbackNumber(destination: string | undefined) {
    this.#intake.fallbackNumber = destination;
  }

  /** Running alarm sessions. */
  get size(): number {
    return this.#cases.size;
  }

  /** Running sessions that a stop of the program would disturb: an alarm that waits for a person of the alarm queue waits on. */
  get active(): number {
    let active = 0;
    for (const { session } of this.#cases.values()) if (!isWaitingOnly(session)) active++;
    return active;
  }

  /** The running sessions, the oldest first. */
  get running(): Iterable<ActiveAlarm> {
    return this.#cases.values();
  }

  get sessionIds(): readonly string[] {
    return [...this.#cases.values()].map(({ facts }) => facts.sessionId);
  }

  twinOf(callbackId: string, atMs: number): string | undefined {
    return this.#file.twinOf(callbackId, atMs);
  }

  caseOf(conversation: string): ActiveAlarm | undefined {
    return this.#cases.get(conversation);
  }

  bySession(sessionId: string): ActiveAlarm | undefined {
    for (const known of this.#cases.values()) if (known.facts.sessionId === sessionId) return known;
    return undefined;
  }

  join(front: ProtocolAdapter): void {
    this.#fronts.set(front.name, front);
  }

  /** Runs the work that a message of a device brings about, one after the other. */
  turn(work: () => void): void {
    this.#turn.next(work);
  }

  /**
   * Takes back the alarms of an earlier run, or those that a lost host has `left`: repeats get their answers, open
   * alarms go on. An alarm that its device has begun here too stays with us.
   */
  restore(left?: PersistedSessions): void {
    for (const { row, stored } of readStoredAlarms(this.#ports, left)) {
      const front = this.#fronts.get(stored.front);
      const conversation = front?.conversationOf(stored.kept);
      if (front === undefined || conversation === undefined) {
        this.#ports.log(
          'error',
          'alarm_session.protocol_unknown',
          'Could not restore a session: this program does not know its protocol',
          { id: row.id, traceId: row.traceId },
        );
        continue;
      }
      if (left !== undefined && this.#goesOnHere(conversation, row)) continue;
      const { session: said, facts } = stored;
      const open = !row.closed && said !== undefined && facts !== undefined;
      const session = open ? restoreSession(said) : undefined;
      if (session !== undefined && facts !== undefined) {
        const written = { pages: stored.pages, states: statesIn(row) };
        this.#cases.set(conversation, this.#file.reopen(front, conversation, facts, session, written));
      }
      const waits = session === undefined && !row.closed;
      const came = facts && { fromUser: facts.sipFrom, origin: originOf(facts) };
      if (facts !== undefined) this.#sessionOf.set(conversation, facts.sessionId);
      this.#turn.next(() => front.restore({ body: stored.kept, open: session !== undefined, waits, came }));
      if (open) {
        const ageMs = this.#ports.clock.wallMs() - facts.createdMs;
        this.input(conversation, { type: 'recovered', ageMs });
      }
    }
  }

  /** A session of ours is never replaced: the answer of its live callback would find no session that waits for it. */
  #goesOnHere(conversation: string, row: SessionRow): boolean {
    const own = this.bySession(row.id);
    // On the disk may lie the other host's state; our next one is newer.
    if (own !== undefined) own.states = Math.max(own.states, statesIn(row));
    return own !== undefined || this.#cases.has(conversation);
  }

  /** Something happened to the session of a conversation; nothing when there is none. */
  input(conversation: string, input: Timeless<SessionInput>): void {
    const find = () => this.#cases.get(conversation);
    const work = ofSession(find, (known) => {
      const before = withAlarmQueue(known.session, this.#hasQueue());
      const { state, effects } = step(before, { ...input, at: this.#now() } as SessionInput);
      // A restart calls the same people on: each step of theirs is written.
      if (known.session.list !== state.list) known.dirty = true;
      known.session = state;
      for (const effect of effects) this.#perform(known, effect);
      this.#touched.add(known);
    });
    this.#turn.next(work);
  }

  #hasQueue(): boolean | undefined {
    const isThere = this.#ports.alarmQueueIsThere?.();
    return isThere === undefined ? undefined : isThere && this.#cases.size <= MOST_WAITING;
  }

  /** An event of a device, settled against what is provisioned: an input of its session, which it may open. */
  event(front: ProtocolAdapter, { conversation, said: received, arrival }: AdapterEvent): void {
    const { possibleRepeatOf: first, ...own } = received;
    const possibleRepeatOf = first === undefined ? undefined : this.#sessionOf.get(first);
    const said = possibleRepeatOf === undefined ? own : { ...own, possibleRepeatOf };
    let admitted: ReturnType<AlarmIntake['admit']>;
    try {
      admitted = this.#intake.admit(front, conversation, said, this.#cases.get(conversation), arrival);
    } catch (cause) {
      // A defect of ours must not make this conversation deaf: nothing is acknowledged, and the repeat is a new chance.
      this.#ports.log(
        'error',
        'alarm_event.defect_caught',
        'Caught a defect in the handling of an alarm event',
        { cause: describeDefect(cause), traceId: arrival?.trace.traceId },
      );
      this.#turn.next(() => front.input(conversation, { type: 'storeFailed', ordinal: said.ordinal }));
      return;
    }
    if (admitted === undefined) {
      // No acknowledge, and the device tries its next receiver. Parts that were acknowledged stay on the disk.
      this.#turn.next(() => front.input(conversation, { type: 'sessionEnded', isDealtWith: false }));
      const { raw, fields } = said.source;
      const reason = 'the alarm bridge that began to take a split alarm was deleted';
      this.#alarms.raise({
        type: 'serviceAlarm',
        error: 'noReceiver',
        errorDetails: { reason, raw, fields },
      });
      return;
    }
    this.#cases.set(conversation, admitted.known);
    this.#sessionOf.set(conversation, admitted.known.facts.sessionId);
    const { ordinal, kind } = said;
    const { event, offer, source } = admitted;
    if (said.withdraws !== undefined) admitted.known.withdrawals.set(ordinal, said.withdraws);
    if (said.name !== undefined) admitted.known.names.set(ordinal, said.name);
    this.input(conversation, { type: 'event', ordinal, kind, event, source, offer });
  }

  /** A possible repeat of `conversation` that is only answered: there are events enough of it. */
  counted(conversation: string, arrival: Arrival): void {
    this.#counted.add(this.#sessionOf.get(conversation) ?? '', arrival);
  }

  /** Running sessions of the same alarm from other sources; the oldest first. */
  siblingsOf(known: ActiveAlarm): ActiveAlarm[] {
    const root = rootOf(known);
    return [...this.#cases.values()].filter((other) => other !== known && rootOf(other) === root);
  }

  /** A person is notified of something about this session. */
  raise({ facts, trace }: ActiveAlarm, alarm: RaisedAlarm): void {
    const { type, error, reason } = alarm;
    trace.add('alarmRaised', { type, error, reason });
    this.#alarms.raiseFor(alarm, facts, facts.traceId);
  }

  #perform(known: ActiveAlarm, effect: SessionEffect): void {
    const { conversation, front } = known;
    switch (effect.type) {
      case 'store':
        this.#ports.run(this.#store(known, effect));
        return;
      case 'durable':
        this.#turn.next(() => front.input(conversation, { type: 'stored', ordinal: effect.ordinal }));
        return;
      case 'abandon':
        known.trace.add('notStored', { reason: effect.reason });
        this.#turn.next(() => front.input(conversation, { type: 'storeFailed', ordinal: effect.ordinal }));
        return;
      case 'liveCallback':
        if (!this.#askReceiver(known, effect.ordinal))
          this.#ports.run(this.#liveCallback(known, effect.ordinal, effect.timeoutMs));
        return;
      case 'recordCallback':
        this.#file.record(known, effect.ordinal, effect.late);
        return;
      case 'decide':
        known.trace.add('decided', { ...effect.decision });
        this.#turn.next(() => front.input(conversation, { type: 'decision', decision: effect.decision }));
        return;
      case 'raise':
        if (effect.alarm.error !== 'storeFailed' || this.#isReported(known)) this.raise(known, effect.alarm);
        return;
      case 'startTimer':
        this.#timers.start(conversation, effect.timer, this.#now() + effect.ms);
        return;
      case 'stopTimer':
        this.#timers.stop(conversation, effect.timer);
        return;
      case 'trace':
        known.trace.add('note', { text: effect.text });
        return;
      case 'people':
        if (effect.effect.type === 'commit') this.#accept(known, effect.effect.attempt);
        else this.#people?.perform(known, effect.effect);
        return;
      case 'beginList':
        return;
      case 'end':
        known.trace.add('sessionEnded', { outcome: effect.outcome });
        this.#turn.next(() =>
          front.input(conversation, {
            type: 'sessionEnded',
            isDealtWith: DEALT_WITH.includes(effect.outcome),
          }),
        );
        known.dirty = true;
        this.over.emit(known);
        return;
      default:
        if (this.#speech !== undefined) this.#speech.perform(known, effect);
        else known.trace.add('note', { text: `${effect.type}: no call runs through this appliance` });
    }
  }

  /** Chosen: a disk that takes no alarm is reported once for each device in ten minutes; the log has each alarm. */
  #isReported({ facts }: ActiveAlarm): boolean {
    const whose = `${facts.bridgeId} ${facts.deviceId ?? facts.sipFrom}`;
    return this.#storeFailed.report(this.#ports.tenant().domain, whose, this.#now());
  }

  async #store(known: ActiveAlarm, effect: SessionEffect & { type: 'store' }): Promise<void> {
    const startMs = this.#now();
    const { ordinal } = effect;
    try {
      const row = this.#row(known);
      if (row === undefined) throw new Error('the conversation does not exist');
      const also = known.front.alsoStored(known.conversation, row);
      const eventId = await this.#file.store(known, effect, row, also);
      known.front.repeats?.stored(known.conversation, this.#now());
      known.trace.add('stored', { eventId, tookMs: this.#now() - startMs });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      this.#ports.log('error', 'alarm_event.store_failed', 'Could not store an alarm event', {
        ...{ reason, traceId: known.trace.traceId, recordId: known.trace.recordId },
      });
      this.input(known.conversation, { type: 'storeFailed', ordinal, reason });
      return;
    }
    this.input(known.conversation, { type: 'stored', ordinal });
    const by = known.withdrawals.get(ordinal);
    known.withdrawals.delete(ordinal);
    if (by !== undefined) this.#withdrawOthers(known, effect, by);
  }

  /**
   * The withdrawal is on the disk and reaches the application, so that open sessions of the same unit may end without
   * an event of their own.
   */
  #withdrawOthers({ conversation, facts }: ActiveAlarm, { event }: SessionEvent, by: Withdrawal): void {
    for (const other of this.#cases.values()) {
      const had = other.session.first?.event;
      const isItsOwn = had?.controllerId === event.controllerId && had.deviceId === event.deviceId;
      // Only their lines distinguish two units with one identity: the other one has taken nothing back.
      const isItsLine = other.facts.bridgeId === facts.bridgeId && other.facts.sipFrom === facts.sipFrom;
      if (isItsOwn && isItsLine && other.conversation !== conversation)
        this.input(other.conversation, { type: 'withdrawn', by });
    }
  }

  /** The receiver decides about an event that is sent on, and the application is notified, too. False: the event is not sent on. */
  #askReceiver(known: ActiveAlarm, ordinal: number): boolean {
    const forward = known.forwards.get(ordinal);
    if (forward === undefined) return false;
    this.#file.record(known, ordinal, false);
    forward.decided((answer) => {
      if (answer.ok) this.input(known.conversation, { type: 'callbackAnswered', body: answer.value });
      else this.input(known.conversation, { type: 'callbackFailed', reason: answer.error.reason });
    });
    return true;
  }

  async #liveCallback(known: ActiveAlarm, ordinal: number, timeoutMs: number): Promise<void> {
    const answer = await this.#file.live(known, ordinal, timeoutMs);
    if (answer.ok) this.input(known.conversation, { type: 'callbackAnswered', body: answer.value });
    else this.input(known.conversation, { type: 'callbackFailed', reason: answer.error.reason });
  }

  /** The first person whose accept is settled has the alarm. */
  #accept(known: ActiveAlarm, attempt: number): void {
    const settled = acceptWritten(this.#ports.journal, this.#row(known), known.trace).then((isStored) =>
      this.input(known.conversation, { type: 'list', input: { type: 'committed', attempt, isStored } }),
    );
    this.#ports.run(settled);
  }

  #keepTouched(): void {
    const touched = [...this.#touched];
    this.#touched.clear();
    for (const known of touched) this.#keep(known);
  }

  /** Commits what changed behind the answers; a repeat after a crash then gets the same answer. */
  #keep(known: ActiveAlarm): void {
    const { session, settled, reports } = known;
    if (known.dirty || reports.length > 0) {
      known.dirty = false;
      known.settled = [];
      known.reports = [];
      const row = this.#row(known);
      const rows = row === undefined ? [] : [{ kind: 'session', row } as const];
      const reportRows = reports.map((report) => ({ kind: 'outbox', row: report }) as const);
      const written = this.#ports.journal.commit([
        ...rows,
        ...settled,
        ...reportRows,
        ...known.trace.takePage(),
      ]);
      this.#ports.run(written.finally(() => this.#file.reported(reports)));
    }
    // A live request that is still out decides whether its callback becomes a record.
    const over = session.state === 'closed' && !session.callbackOut && session.pending.length === 0;
    if (over) this.#cases.delete(known.conversation);
  }

  #row(known: ActiveAlarm) {
    const kept = known.front.keep(known.conversation);
    if (kept === undefined) return undefined;
    const nowMs = this.#ports.clock.wallMs();
    const rank = sessionRank(this.#ports.place.epoch, ++known.states);
    return sessionRow(known, kept, { nowMs, pages: known.trace.pages + 1, rank });
  }

  #now(): number {
    return this.#ports.clock.monoMs();
  }
}

/** As many as the fronts remember of one protocol. */
const MOST_NAMED = 100_000;
/** `Chosen:` open alarms of a host beyond which a further one does not wait in the alarm queue: its session ends, as in a storm. */
const MOST_WAITING = 1_000;

/** Session of the first telling. */
const rootOf = ({ facts }: ActiveAlarm): string => facts.possibleRepeatOf ?? facts.sessionId;
