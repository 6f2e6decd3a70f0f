import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import type { TimerPorts, TimerScope } from '../kernel/engine-timers.ts';
import type { KernelPorts } from '../kernel/port.ts';
import type { SessionOpening, SessionTrace, TraceEntry, TraceObserver } from '../kernel/session-trace.ts';
import { AttemptCount } from './attempt-count.ts';
import { type Draft, newDraft, opened } from './draft.ts';
import { fold } from './entry-fold.ts';
import { recordOf } from './fit.ts';
import type { KeptStarts, RecordSink } from './record-port.ts';
import { SessionNames } from './session-names.ts';

/** A start is written only for a session that lives longer. */
const START_AFTER_MS = 2_000;
/** Statistics of the audio come after the end. */
const SETTLE_MS = 300;
/** Chosen: more sessions than a host has at once; the oldest is forgotten before memory is used up. */
const MOST_RUNNING = 50_000;

type RecordTimer = 'start' | 'settle' | 'minute';

export interface RecorderPorts extends Pick<KernelPorts, 'clock' | 'log'>, TimerPorts {
  readonly sink: RecordSink & KeptStarts;
  /** Revision of the tenant's configuration in force; undefined: unknown. */
  readonly configRevision: () => number | undefined;
  /** Version of this program. */
  readonly program: string;
}

interface Running {
  readonly draft: Draft;
  /** A start is written. */
  isWritten: boolean;
  isOver: boolean;
}

/** Makes the record of each session out of the entries of its trace. */
export class SessionRecorder implements TraceObserver {
  readonly #ports: RecorderPorts;
  readonly #timers: TimerScope<RecordTimer>;
  readonly #running = new Map<string, Running>();
  readonly #attempts: AttemptCount;
  /** Names of the running sessions, for the log. */
  readonly names = new SessionNames();
  /** Starts of an earlier life whose session may go on. */
  #kept = new Map<string, SessionRecord>();

  constructor(ports: RecorderPorts) {
    this.#ports = ports;
    this.#attempts = new AttemptCount(() => this.#host());
    this.#timers = ports.timers.scope((owner, timer) => this.#due(owner, timer));
  }

  /** Sessions without an end. */
  get size(): number {
    return this.#running.size;
  }

  /** Before the sessions of an earlier life are taken up: their starts are continued. */
  recall(): void {
    this.#kept = new Map(this.#ports.sink.running().map((record) => [record.recordId, record]));
  }

  /**
   * After the sessions of an earlier life are taken up: everything else ended with its program. `isClosed`: the session of an
   * alarm is over; an alarm that is open here or nowhere goes on at another host, which says its end.
   */
  interrupted(isClosed: (sessionId: string) => boolean): void {
    const nowMs = this.#ports.clock.wallMs();
    for (const record of this.#kept.values()) {
      const { kind, sessionId = '', times } = record;
      if ((kind === 'alarm' || kind === 'alarmSent') && !isClosed(sessionId)) continue;
      this.#ports.sink.put({
        ...record,
        result: 'interrupted',
        reason: 'The program of the host ended in the middle of the session',
        times: { ...times, ended: nowMs },
        durationMs: Math.max(0, nowMs - record.at),
      });
    }
    this.#kept.clear();
  }

  opened(trace: SessionTrace, opening: SessionOpening, before: readonly TraceEntry[]): void {
    const { recordId = '', traceId } = trace;
    const known = this.#running.get(recordId) ?? this.#begin(recordId, traceId);
    const { kind } = known.draft;
    opened(known.draft, opening);
    // A call whose tones say an alarm seconds later: people look for the alarm, not for a call.
    if (known.isWritten && !known.isOver && kind !== opening.kind)
      this.#timers.start(recordId, 'start', this.#ports.clock.monoMs());
    this.names.add({ recordId, traceId }, opening.sessionId);
    for (const entry of before) this.#fold(recordId, known, entry);
  }

  added(trace: SessionTrace, entry: TraceEntry): void {
    const { recordId = '' } = trace;
    const known = this.#running.get(recordId);
    if (known === undefined) return;
    // An application may give a call an id of its own.
    if (known.draft.traceId !== trace.traceId) {
      known.draft.traceId = trace.traceId;
      this.names.add({ recordId, traceId: trace.traceId }, known.draft.sessionId);
    }
    this.#fold(recordId, known, entry);
  }

  /** A start that was written is ended: the session it spoke of is part of another. */
  joined(recordId: string): void {
    const { draft, isWritten } = this.#running.get(recordId) ?? {};
    if (draft === undefined) return;
    this.#forget(recordId);
    if (!isWritten) return;
    const ended = this.#ports.clock.wallMs();
    this.#ports.sink.put(
      recordOf({
        ...draft,
        result: 'done',
        reason: 'The call is part of an alarm, whose record goes on',
        times: { ...draft.times, ended },
        durationMs: Math.max(0, ended - draft.at),
      }),
    );
  }

  attempted(source: string, reason: string): void {
    const nowMs = this.#ports.clock.wallMs();
    const isFirst = this.#attempts.untilMs === undefined;
    for (const row of this.#attempts.add(source, reason, nowMs)) this.#ports.sink.put(row);
    const leftMs = (this.#attempts.untilMs ?? nowMs) - nowMs;
    if (isFirst) this.#timers.start('attempts', 'minute', this.#ports.clock.monoMs() + Math.max(0, leftMs));
  }

  /** Writes what waits for its settling, and the attempts of this minute; before the store closes. */
  flush(): void {
    for (const row of this.#attempts.take()) this.#ports.sink.put(row);
    for (const [recordId, { isOver }] of this.#running) if (isOver) this.#due(recordId, 'settle');
  }

  #host(): Pick<SessionRecord, 'configRevision' | 'program'> {
    const configRevision = this.#ports.configRevision();
    return { ...(configRevision !== undefined && { configRevision }), program: this.#ports.program };
  }

  #begin(recordId: string, traceId: string): Running {
    const kept = this.#kept.get(recordId);
    this.#kept.delete(recordId);
    const { program, clock } = this.#ports;
    const fresh = newDraft(recordId, traceId, this.#host());
    const draft: Draft = kept === undefined ? fresh : { ...kept, program };
    const known = { draft, isWritten: kept !== undefined, isOver: false };
    const oldest = this.#running.size < MOST_RUNNING ? undefined : this.#running.keys().next().value;
    if (oldest !== undefined) this.#forget(oldest);
    this.#running.set(recordId, known);
    this.#timers.start(recordId, 'start', clock.monoMs() + START_AFTER_MS);
    return known;
  }

  #fold(recordId: string, known: Running, entry: TraceEntry): void {
    if (!fold(known.draft, entry) || known.isOver) return;
    known.isOver = true;
    this.#timers.stop(recordId, 'start');
    this.#timers.start(recordId, 'settle', this.#ports.clock.monoMs() + SETTLE_MS);
  }

  #due(owner: string, timer: RecordTimer): void {
    if (timer === 'minute') {
      for (const row of this.#attempts.take()) this.#ports.sink.put(row);
      return;
    }
    const known = this.#running.get(owner);
    if (known === undefined) return;
    this.#ports.sink.put(recordOf(known.draft));
    known.isWritten = true;
    const { kind, result, traceId } = known.draft;
    this.#ports.log('debug', 'session.recorded', 'Recorded a session', {
      traceId,
      recordId: owner,
      kind,
      result,
    });
    if (timer === 'settle') this.#forget(owner);
  }

  #forget(recordId: string): void {
    this.#running.delete(recordId);
    this.names.forget(recordId);
    this.#timers.stopAll(recordId);
  }
}
