/** The kinds of events in a trace, in the order of an alarm's way. A comment at each kind names its detail. */
export type TraceKind =
  /** method, uri, from, transport, source, callId */
  | 'sipReceived'
  /** token, encrypted, account, transport, source */
  | 'frameReceived'
  /** status, reason */
  | 'sipAnswered'
  /** deviceId, authType; or known false */
  | 'deviceIdentified'
  /** alarmBridgeId, name, protocol, configRevision */
  | 'receiverMatched'
  /** The common event in its receive form. */
  | 'eventUnderstood'
  /** eventId, tookMs */
  | 'stored'
  /** reason */
  | 'notStored'
  /** url, attempt, late */
  | 'callbackSent'
  /** status, body, tookMs */
  | 'callbackAnswered'
  /** reason, tookMs */
  | 'callbackFailed'
  /** decision as the session took it */
  | 'decided'
  /** Answer of the protocol as sent to the device. */
  | 'deviceAnswered'
  /** status, callId */
  | 'deviceConfirmed'
  /** reason, callId */
  | 'deviceUnreached'
  /** type, error, reason */
  | 'alarmRaised'
  /** protocol, destination, attempt, callId: an event on its way to a receiver */
  | 'alarmSending'
  /** alarmString, way */
  | 'alarmQueued'
  | 'alarmSent'
  /** warning, reason */
  | 'alarmSendFailure'
  /** text; callId of a call that begins */
  | 'note'
  /** digits or frequency, ms, source: what the device said in tones. */
  | 'toneHeard'
  /** what was said to the device in tones */
  | 'tonePlayed'
  /** protocol, result, requests, badStrings, levels: how the start of a call in tones went */
  | 'handshake'
  /** leg, codec, received, sent, roundTripMs, mos: what the audio of one peer went through */
  | 'mediaEnded'
  /** destination, direction */
  | 'voiceJoining'
  /** command */
  | 'deviceCommand'
  /** outcome */
  | 'sessionEnded';

export interface TraceEntry {
  /** Epoch ms with fraction, from the monotonic clock: steps of the wall clock do not fold the line. */
  readonly atMs: number;
  readonly kind: TraceKind;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A batch of trace entries as a row for the journal. */
export interface TraceWrite {
  readonly kind: 'trace';
  readonly row: {
    readonly traceId: string;
    readonly sessionId: string | null;
    readonly ordinal: number;
    readonly atMs: number;
    readonly kind: string;
    readonly body: string;
  };
}

/** Takes batches of traces and writes them to the journal later. */
export interface TraceSink {
  add(batch: readonly TraceWrite[]): void;
}

/**
 * The trace of one alarm session. Entries wait here and travel to the journal with the next commit that the session
 * makes anyway: tracing costs a row per commit, not a row per line.
 */
export class SessionTrace {
  readonly #now: () => number;
  #traceId: string;
  #sessionId: string | null = null;
  #waiting: TraceEntry[] = [];
  #page = 0;
  #kept = false;

  constructor(traceId: string, now: () => number) {
    this.#traceId = traceId;
    this.#now = now;
  }

  get traceId(): string {
    return this.#traceId;
  }

  /**
   * The application has an id of its own for the call. Entries that were not written yet are found under it, with the id
   * before.
   */
  continueAs(traceId: string): void {
    if (traceId === this.#traceId) return;
    this.add('note', { text: `the trace began as ${this.#traceId}` });
    this.#traceId = traceId;
  }

  /** From here on the pages are found by the session, too. `firstPage` goes on where a restart cut the trace. */
  belongsTo(sessionId: string, firstPage = 0): void {
    this.#sessionId = sessionId;
    this.#kept = true;
    this.#page = Math.max(this.#page, firstPage);
  }

  /** Pages taken so far. */
  get pages(): number {
    return this.#page;
  }

  add(kind: TraceKind, detail: Readonly<Record<string, unknown>> = {}): void {
    // A person must find again each alarm that was raised, also where no session began.
    if (kind === 'alarmRaised') this.#kept = true;
    this.#waiting.push({ atMs: this.#now(), kind, detail });
  }

  /**
   * The waiting entries as one journal write; none when nothing has happened since. Heartbeats and repeats leave no trace:
   * 40,000 devices would write more of them than of everything else.
   */
  takePage(): TraceWrite[] {
    const [first] = this.#waiting;
    if (first === undefined || !this.#kept) return [];
    const body = JSON.stringify(this.#waiting);
    this.#waiting = [];
    const row = {
      traceId: this.traceId,
      sessionId: this.#sessionId,
      ordinal: this.#page++,
      atMs: Math.floor(first.atMs),
      kind: 'page',
      body,
    };
    return [{ kind: 'trace', row }];
  }
}
