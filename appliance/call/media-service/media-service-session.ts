import type { ReplicatedMediaService } from '#shared/contract/provisioning/index.ts';
import { mediaServiceDestination } from '../../delivery/delivery-service.ts';
import type { SessionTrace } from '../../kernel/session-trace.ts';
import {
  type Ask,
  type MediaSession,
  type Operation,
  type ParticipantId,
  type QueueInSession,
  queueInSession,
  type Report,
  type SessionEffect,
  type SessionInput,
  step,
  wiringOf,
} from '../media-session/index.ts';
import { type Played, sourceWords } from '../sound/index.ts';
import type { HttpParty } from './http-party.ts';
import type { CallbackOrigin } from './media-callbacks.ts';
import type { PartyLeg } from './party-leg.ts';
import { asked, type SessionAudio } from './session-audio.ts';
import type { CallingInfo } from './wording/calling-info.ts';
import type { OperationOutcome } from './wording/operation-words.ts';

type WithoutTime = SessionInput extends infer Each
  ? Each extends SessionInput
    ? Omit<Each, 'atMs'>
    : never
  : never;
type Of<K extends SessionEffect['kind']> = Extract<SessionEffect, { readonly kind: K }>;

/** The part of the media services that a session needs. */
export interface MediaServiceSessionDependencies {
  readonly nowMs: () => number;
  readonly audioOf: (session: MediaServiceSession) => SessionAudio;
  /** Calls a party; the session gets the result. */
  readonly dial: (session: MediaServiceSession, effect: Of<'dial'>) => void;
  readonly ask: (session: MediaServiceSession, request: number, ask: Ask, body: Body) => void;
  /** `bodyOf` makes the body when the report is sent, which may be later. */
  readonly report: (session: MediaServiceSession, report: Report, bodyOf: () => Body) => void;
  readonly alarm: (session: MediaServiceSession, effect: Of<'alarm'>) => void;
  /** Can the participant be joined there? `checked` follows. */
  readonly check: (session: MediaServiceSession, effect: Of<'check'>) => void;
  readonly move: (session: MediaServiceSession, effect: Of<'move'>) => void;
  readonly start: (session: MediaServiceSession, timer: string, ms: number) => void;
  readonly stop: (session: MediaServiceSession, timer: string) => void;
  readonly placeInQueue: (participant: ParticipantId) => void;
  /** Callers and agents of the session as they are now; `failed`: the call of an agent. */
  readonly queues: (
    session: MediaServiceSession,
    next: QueueInSession,
    failed: { readonly participant: ParticipantId; readonly status: number } | undefined,
  ) => void;
  readonly reply: (id: string, outcome: OperationOutcome) => void;
  /** The participant is no longer in the session: it has left, or moved. */
  readonly left: (session: MediaServiceSession, participant: ParticipantId) => void;
  readonly over: (session: MediaServiceSession) => void;
  /** An input has met a defect of ours: this session ends, and no other. */
  readonly defect: (session: MediaServiceSession, cause: unknown) => void;
  /** An input for the session when the one before it is done. */
  readonly later: (session: MediaServiceSession, input: WithoutTime) => void;
}

export type Body = Readonly<Record<string, unknown>>;

/** One session of a media service: its machine, the calls of its participants, and its audio. */
export class MediaServiceSession {
  readonly id: string;
  readonly service: ReplicatedMediaService;
  readonly trace: SessionTrace;
  readonly startedMs: number;
  /** Caller and callee at its beginning. */
  readonly facts: CallingInfo;
  /** The same of participants that have come from other sessions: each keeps its own numbers. */
  readonly #adopted = new Map<ParticipantId, CallingInfo>();
  /** Fields about the incoming call that only newCall has. */
  readonly #arrival: Body;
  readonly legs = new Map<ParticipantId, PartyLeg | HttpParty>();
  readonly #dependencies: MediaServiceSessionDependencies;
  readonly #audio: SessionAudio;
  #session: MediaSession;
  #seq = 0;

  constructor(
    session: MediaSession,
    known: {
      readonly service: ReplicatedMediaService;
      readonly trace: SessionTrace;
      readonly facts: CallingInfo;
      readonly arrival?: Body;
    },
    dependencies: MediaServiceSessionDependencies,
  ) {
    this.id = session.setting.sessionId;
    this.service = known.service;
    this.trace = known.trace;
    this.facts = known.facts;
    this.#arrival = known.arrival ?? {};
    this.#dependencies = dependencies;
    this.startedMs = dependencies.nowMs();
    this.#session = session;
    this.#audio = dependencies.audioOf(this);
  }

  get session(): MediaSession {
    return this.#session;
  }

  /** One input to completion: the machine, what everybody hears, and what it wants done. */
  input(input: WithoutTime): void {
    try {
      this.#take(input);
    } catch (cause) {
      this.#dependencies.defect(this, cause);
    }
  }

  #take(input: WithoutTime): void {
    const { state, effects } = step(this.#session, {
      ...input,
      atMs: this.#dependencies.nowMs(),
    } as SessionInput);
    const { ended, parties } = this.#session;
    this.#session = state;
    if (input.kind === 'played') this.#audio.played(input.play);
    if (input.kind === 'digit') this.#audio.digit(input.participant, input.digit);
    // A dropped party leaves its connection first.
    this.#audio.wire(wiringOf(state));
    const together = new Map<string, Of<'play'>[]>();
    for (const effect of effects) this.#perform(effect, together);
    for (const plays of together.values()) this.#audio.playTogether(plays.map((each) => this.#playOf(each)));
    this.#dependencies.queues(this, queueInSession(state), input.kind === 'failed' ? input : undefined);
    for (const participant of parties.keys())
      if (!state.parties.has(participant)) this.#dependencies.left(this, participant);
    if (state.ended && !ended) this.#dependencies.over(this);
  }

  /** Caller and callee, as callbacks about this participant name them. */
  factsOf(participant: ParticipantId | undefined): CallingInfo {
    return (participant === undefined ? undefined : this.#adopted.get(participant)) ?? this.facts;
  }

  /** A participant of another session brings its call and its numbers along. */
  adopt(participant: ParticipantId, leg: PartyLeg, facts: CallingInfo): void {
    this.legs.set(participant, leg);
    this.#adopted.set(participant, facts);
  }

  operate(id: string, ask: Operation): void {
    this.input({ kind: 'operation', id, ask });
  }

  #perform(effect: SessionEffect, together: Map<string, Of<'play'>[]>): void {
    const { ask, report, dial, alarm, move, start, stop, reply } = this.#dependencies;
    switch (effect.kind) {
      case 'ask':
        ask(this, effect.request, effect.ask, this.#askBody(effect.ask));
        return;
      case 'report':
        report(this, effect.report, () => this.#reportBody(effect.report));
        return;
      case 'dial':
        dial(this, effect);
        return;
      case 'ring':
        this.legs.get(effect.participant)?.ring(effect.status, effect.early);
        return;
      case 'accept':
        this.legs.get(effect.participant)?.accept();
        return;
      case 'drop':
        this.legs.get(effect.participant)?.drop(effect.status, effect.text);
        this.legs.delete(effect.participant);
        return;
      case 'direct':
        this.legs.get(effect.participant)?.direct(effect.direction);
        return;
      case 'play': {
        if (effect.together === undefined) {
          const { name, participant, request } = this.#playOf(effect);
          this.#audio.play(name, participant, request);
          return;
        }
        const plays = together.get(effect.together) ?? [];
        together.set(effect.together, [...plays, effect]);
        return;
      }
      case 'stop':
        this.#audio.stop(effect.play);
        return;
      case 'startTimer':
        start(this, effect.timer, effect.ms);
        return;
      case 'stopTimer':
        stop(this, effect.timer);
        return;
      case 'alarm':
        alarm(this, effect);
        return;
      case 'placeInQueue':
        this.#dependencies.placeInQueue(effect.participant);
        return;
      case 'check':
        this.#dependencies.check(this, effect);
        return;
      case 'move':
        move(this, effect);
        return;
      case 'reply':
        reply(effect.id, effect.result);
    }
  }

  #playOf({ play, participant, phrases, over, shared }: Of<'play'>) {
    for (const phrase of phrases)
      if (phrase.format === 'file') this.trace.add('promptPlayed', { fileName: phrase.fileName });
    const onPlayed = ({ results, faults, sources }: Played): void => {
      for (const source of sources) this.trace.add('note', { text: sourceWords(source) });
      this.#dependencies.later(this, { kind: 'played', play, results, faults });
    };
    const request = {
      phrases: phrases.map(asked),
      ...(over === 'mix' && { over: 'mixed' as const }),
      ...(shared && { shared }),
      onPlayed,
    };
    return { name: play, participant, request };
  }

  /** Where a callback comes from; each counts. */
  origin(refers: string): CallbackOrigin {
    const { id: sessionId, service, trace } = this;
    const { reference } = this.#session;
    const dest = mediaServiceDestination(service.id);
    return { sessionId, service, dest, trace, reference, refers, eventSeq: ++this.#seq };
  }

  #askBody(ask: Ask): Body {
    if (ask.callback === 'callEvent') return this.#eventBody(ask);
    const { callback: _, participant: participantId, ...rest } = ask;
    if (ask.callback === 'newCall') return { participantId, ...this.facts, ...this.#arrival };
    const {
      connection: connectionId,
      lastCommandResult,
      dtmfParams,
      speechParams,
    } = rest as Extract<Ask, { callback: 'getIvrCommand' }>;
    return {
      participantId,
      connectionId,
      ...(lastCommandResult && { lastCommandResult }),
      ...(dtmfParams && { dtmfParams }),
      ...(speechParams && { speechParams }),
    };
  }

  #eventBody(event: Extract<Ask | Report, { readonly callback: 'callEvent' }>): Body {
    const { callback: _, participant, remaining, connection, ...rest } = event;
    const user = this.legs.get(remaining ?? participant)?.user;
    return {
      ...rest,
      participantId: participant,
      ...(remaining !== undefined && { remainingParticipantId: remaining }),
      ...(connection !== undefined && { connectionId: connection }),
      ...(user !== undefined && { user }),
      ...this.factsOf(remaining ?? participant),
    };
  }

  #reportBody(report: Report): Body {
    const user = (id: ParticipantId | undefined) => (id === undefined ? undefined : this.legs.get(id)?.user);
    const expires = (name: string, id: ParticipantId | undefined) => {
      const seconds = id === undefined ? undefined : this.legs.get(id)?.expiresS;
      return seconds === undefined ? {} : { [name]: seconds };
    };
    switch (report.callback) {
      case 'callEvent':
        return this.#eventBody(report);
      case 'callNotify': {
        const { event, participant, remote, monitoring } = report;
        const leg = this.legs.get(participant);
        return {
          event,
          participantId: participant,
          monitoringParticipant: monitoring,
          ...(leg && { user: leg.user }),
          ...(user(remote) !== undefined && { remoteUser: user(remote) }),
          ...(remote !== undefined && { remoteParticipantId: remote }),
          ...(leg?.sipCallId !== undefined && { sipCallId: leg.sipCallId }),
          ...notSent(leg),
        };
      }
      case 'callAnswered': {
        const { connection, caller, callee, monitoring, queue } = report;
        return {
          connectionId: connection,
          monitoringParticipant: monitoring,
          ...(user(caller) !== undefined && { callingPartyNumber: user(caller) }),
          ...(user(callee) !== undefined && { remotePartyNumber: user(callee) }),
          ...(caller !== undefined && { callerParticipantId: caller }),
          ...(callee !== undefined && { calleeParticipantId: callee }),
          ...expires('callingPartyExpires', caller),
          ...expires('calledPartyExpires', callee),
          ...(callee !== undefined && this.legs.get(callee)?.rtp),
          ...(callee !== undefined && notSent(this.legs.get(callee))),
          ...(queue && { queue }),
        };
      }
      case 'sessionCompleted': {
        const seconds = (this.#dependencies.nowMs() - this.startedMs) / 1_000;
        return { sessionDuration: seconds.toFixed(3), reason: report.reason };
      }
    }
  }
}

/** Fields that the application named for a callee and that did not go out (`header-policy`). */
const notSent = (leg: PartyLeg | HttpParty | undefined): Body =>
  leg === undefined || leg.headersNotSent.length === 0 ? {} : { headersNotSent: leg.headersNotSent };
