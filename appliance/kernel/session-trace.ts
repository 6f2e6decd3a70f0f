import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import { ulid } from '#shared/id.ts';

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
  /** alarmBridgeId, name, protocol, rule */
  | 'receiverMatched'
  /** The common event in its receive form. */
  | 'eventUnderstood'
  /** eventId, tookMs */
  | 'stored'
  /** reason */
  | 'notStored'
  /** url, attempt, late; attempt 0: the outbox delivers it */
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
  /** protocol, destination, attempt, callId, sequence of a frame: an event on its way to a receiver */
  | 'alarmSending'
  /** alarmString, way */
  | 'alarmQueued'
  | 'alarmSent'
  /** warning, reason */
  | 'alarmSendFailure'
  /** text; callId of a call that begins, trunkId where it leaves by one; warning: a deviation that was tolerated */
  | 'note'
  /** digits or frequency, ms, source: what the device said in tones. */
  | 'toneHeard'
  /** what was said to the device in tones */
  | 'tonePlayed'
  /** protocol, result, requests, badStrings, levels: how the start of a call in tones went */
  | 'handshake'
  /** leg, everyMs, lastMs, and a list with one element per window: the audio of one peer, up to twelve windows before `atMs` */
  | 'mediaMeasured'
  /** leg, codec, received, sent, roundTripMs, mos: what the audio of one peer went through */
  | 'mediaEnded'
  /** destination, direction */
  | 'voiceJoining'
  /** leg: both parties hear each other; destination: the address that accepted, where one was called */
  | 'voiceJoined'
  /** fileName; transcribed: its words are recognised */
  | 'recorded'
  /** fileName: a file of the prompt storage was played */
  | 'promptPlayed'
  /** streamId, event, url without its query, reason: a program hears the call, or does so no longer */
  | 'streamed'
  /** step, round, attempt, destination, reason: what became of the people who are called; isTest: by a test call */
  | 'emergencyProgress'
  /** command */
  | 'deviceCommand'
  /** outcome; of a call also reason, and answered: a person or a program has spoken */
  | 'sessionEnded';

export interface TraceEntry {
  /** Epoch ms with fraction, from the monotonic clock: steps of the wall clock do not fold the line. */
  readonly atMs: number;
  readonly kind: TraceKind;
  readonly detail: Readonly<Record<string, unknown>>;
}

/**
 * Entries of one page at most: a call of a day writes its entries when it ends, and a reader takes a page at a time. A page that is full
 * becomes JSON at once, so that the end of a call of 60,000 steps does not hold up the loop with all of them.
 */
const PAGE_ENTRIES = 128;

/** A page that is full, and waits. */
interface FullPage {
  /** Time of its first entry, epoch ms. */
  readonly atMs: number;
  readonly body: string;
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

/** The facts of a session that are known when it begins; the rest of its record comes from the entries of its trace. */
export type SessionOpening = Pick<SessionRecord, 'kind'> & {
  readonly [Fact in
    | 'sessionId'
    | 'deviceId'
    | 'controllerId'
    | 'customerSiteId'
    | 'from'
    | 'to'
    | 'receiver'
    | 'receiverName'
    | 'rule'
    | 'protocol'
    | 'requestUri'
    | 'source'
    | 'trunk'
    | 'restarts'
    | 'recordId']?: SessionRecord[Fact] | undefined;
} & {
  /** Common event in its receive form, where a restart knows it and no entry will tell it. */
  readonly event?: Readonly<Record<string, unknown>> | undefined;
};

/** Hears of every session, in the order in which things happen to it. */
export interface TraceObserver {
  /** The trace belongs to a session of this kind, or of another kind than before. `before`: its entries so far. */
  opened(trace: SessionTrace, opening: SessionOpening, before: readonly TraceEntry[]): void;
  /** Only of traces that were opened. */
  added(trace: SessionTrace, entry: TraceEntry): void;
  /** The session of this record was part of another one. */
  joined(recordId: string): void;
  /** A request from this address was refused, or its sender could not be identified. */
  attempted(source: string, reason: string): void;
}

/** The id of the record of a session that arrived at `atMs`: whoever has both makes the same id. */
export function recordIdOf(name: string, atMs: number): string {
  const bytes = new Uint8Array(10);
  for (let at = 0; at < name.length; at++)
    bytes[at % 10] = ((bytes[at % 10] ?? 0) * 31 + name.charCodeAt(at)) & 0xff;
  return ulid(Math.max(0, Math.floor(atMs)), bytes);
}

/**
 * The trace of one alarm session. Entries wait here and travel to the journal with the next commit that the session
 * makes anyway: tracing costs a row per commit, not a row per line.
 */
export class SessionTrace {
  readonly #now: () => number;
  #traceId: string;
  #sessionId: string | null = null;
  /** Entries behind those of the full pages. */
  #waiting: TraceEntry[] = [];
  #full: FullPage[] = [];
  #page = 0;
  #kept = false;
  readonly #observer: TraceObserver | undefined;
  #opening: SessionOpening | undefined;
  #recordId: string | undefined;
  /** The trace of the session that this one is part of. */
  #whole: SessionTrace | undefined;

  constructor(traceId: string, now: () => number, observer?: TraceObserver) {
    this.#traceId = traceId;
    this.#now = now;
    this.#observer = observer;
  }

  get traceId(): string {
    return this.#traceId;
  }

  /** Id of the record of its session; undefined: it is no session yet. */
  get recordId(): string | undefined {
    return this.#whole?.recordId ?? this.#recordId;
  }

  /** Kind of its session; undefined: it is none, or part of another one. */
  get kind(): SessionOpening['kind'] | undefined {
    return this.#opening?.kind;
  }

  /**
   * It is the trace of a session from now on. A call becomes an alarm, or one of a service, under the same record; a further
   * alarm in the same call has a record of its own. Gives the id of the record back.
   */
  open(opening: SessionOpening): string {
    const before = this.#opening;
    const isAnother =
      before !== undefined && before.kind !== 'call' && before.sessionId !== opening.sessionId;
    if (opening.recordId !== undefined) this.#recordId = opening.recordId;
    else if (this.#recordId === undefined || isAnother) {
      const name = isAnother ? `${this.#traceId} ${opening.sessionId}` : this.#traceId;
      this.#recordId = recordIdOf(name, (isAnother ? undefined : this.#firstMs) ?? this.#now());
    }
    this.#opening = opening;
    this.#observer?.opened(this, opening, before === undefined ? this.#soFar() : []);
    return this.#recordId;
  }

  /** Its session is part of that of another trace: what happens to it stands in the record of that one. */
  joins(whole: SessionTrace): void {
    if (whole === this) return;
    const { recordId } = this;
    this.#whole = whole;
    if (this.#opening !== undefined && recordId !== undefined) this.#observer?.joined(recordId);
    this.#opening = undefined;
    this.#recordId = undefined;
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
    const entry = { atMs: this.#now(), kind, detail };
    this.#waiting.push(entry);
    this.#whole?.addedToPart(entry);
    if (this.#opening !== undefined) this.#observer?.added(this, entry);
    if (this.#waiting.length === PAGE_ENTRIES) this.#fill();
  }

  /** An entry of a trace whose session is part of this one. */
  addedToPart(entry: TraceEntry): void {
    if (this.#opening !== undefined) this.#observer?.added(this, entry);
  }

  /**
   * The waiting entries as journal writes, mostly one; none when nothing has happened since. Heartbeats and repeats leave no
   * trace: 40,000 devices would write more of them than of everything else.
   */
  takePage(): TraceWrite[] {
    if (this.#firstMs === undefined || !this.#kept) return [];
    if (this.#waiting.length > 0) this.#fill();
    const full = this.#full;
    this.#full = [];
    return full.map(({ atMs, body }) => ({
      kind: 'trace',
      row: {
        traceId: this.traceId,
        sessionId: this.#sessionId,
        ordinal: this.#page++,
        atMs: Math.floor(atMs),
        kind: 'page',
        body,
      },
    }));
  }

  /** Time of the first entry that was not taken. */
  get #firstMs(): number | undefined {
    return this.#full[0]?.atMs ?? this.#waiting[0]?.atMs;
  }

  #fill(): void {
    this.#full.push({ atMs: this.#waiting[0]?.atMs ?? 0, body: JSON.stringify(this.#waiting) });
    this.#waiting = [];
  }

  #soFar(): readonly TraceEntry[] {
    return [...this.#full.flatMap(({ body }) => JSON.parse(body) as TraceEntry[]), ...this.#waiting];
  }
}
