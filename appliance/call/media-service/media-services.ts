import type { MediaRequest } from '#shared/contract/runtime/index.ts';
import { uuid } from '#shared/id.ts';
import { fail, ok } from '#shared/result.ts';
import type { CallbackPorts } from '../../delivery/callback/index.ts';
import { type DeliveryService, mediaServiceDestination } from '../../delivery/delivery-service.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import type { PlatformAlarms } from '../../delivery/platform-alarms.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import { SessionTrace } from '../../kernel/session-trace.ts';
import type { LegId, MediaEvent, MediaPorts } from '../../media/control/index.ts';
import type { KnownMediaSessions, RunningCalls } from '../../operation/index.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { ApplicationCall, CallControl } from '../control/index.ts';
import {
  type Ask,
  arrivedSession,
  type DialWords,
  firstParticipant,
  placedSession,
  type Report,
  type SessionEffect,
} from '../media-session/index.ts';
import { isNeverSent } from '../session/index.ts';
import type { Sound } from '../sound/index.ts';
import type { AudioRoutes } from './far-end.ts';
import { HttpParty } from './http-party.ts';
import { refusalAt, STAYS, sessionWith } from './join-place.ts';
import { oddAlarm, raiseMediaAlarm } from './media-alarm.ts';
import { MediaCallbacks } from './media-callbacks.ts';
import { noteConnected, openRecord } from './media-record.ts';
import {
  type Body,
  MediaServiceSession,
  type MediaServiceSessionDependencies,
} from './media-service-session.ts';
import { ParticipantMoves } from './participant-moves.ts';
import { PartyLeg } from './party-leg.ts';
import { NOT_IN_QUEUE, queueWords, ServiceQueues } from './service-queues.ts';
import { SessionAudio } from './session-audio.ts';
import { speechWords } from './session-hearings.ts';
import { sessionPage, sessionView, type ViewPlace } from './session-view.ts';
import { reportStream } from './stream-report.ts';
import { callingInfo } from './wording/calling-info.ts';
import { dialled, isAddress, userOf } from './wording/dial-words.ts';
import {
  type OperationOutcome,
  onlyOf,
  operationOf,
  participantOf,
  sessionOf,
  unnamed,
} from './wording/operation-words.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts & JournalPorts & CallbackPorts & MediaPorts;

type Of<K extends SessionEffect['kind']> = Extract<SessionEffect, { readonly kind: K }>;

/** Chosen: legs of a service share a worker of the media engine up to here, so that any two can be connected. */
const MOST_TOGETHER = 300;

export interface MediaServicesDependencies {
  readonly calls: CallControl;
  readonly delivery: DeliveryService;
  readonly alarms: PlatformAlarms;
  readonly sound: Sound | undefined;
  readonly audio: AudioRoutes;
}

/**
 * Calls whose flow an application decides: takes those that come to a media service, places those it asks for, and runs
 * their sessions. Everything happens in the turns of the calls.
 */
export class MediaServices implements RunningCalls {
  readonly #ports: Ports;
  readonly #dependencies: MediaServicesDependencies;
  readonly #callbacks: MediaCallbacks;
  readonly #sessions = new Map<string, MediaServiceSession>();
  readonly #timers: TimerScope<string>;
  readonly #moves = new ParticipantMoves<MediaServiceSession>();
  readonly #queues: ServiceQueues<MediaServiceSession>;
  /** Operations whose answer is awaited. */
  readonly #asking = new Map<string, (outcome: OperationOutcome) => void>();
  #operations = 0;
  /** Legs without a call, and who hears of them. */
  readonly #hearing = new Map<LegId, (event: MediaEvent) => void>();

  constructor(ports: Ports, dependencies: MediaServicesDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#callbacks = new MediaCallbacks(ports, dependencies.delivery);
    this.#timers = ports.timers.scope((owner, timer) =>
      dependencies.calls.turn(() => this.#sessions.get(owner)?.input({ kind: 'timer', timer })),
    );
    this.#queues = new ServiceQueues(ports, {
      turn: (work) => dependencies.calls.turn(work),
      tell: (session, event) => {
        const text = queueWords(event);
        if (text !== undefined) session.trace.add('note', { text });
        this.#caseParts.later(session, event);
      },
    });
    dependencies.calls.onApplication.set('mediaservice', (arrived) => this.#arrived(arrived));
    dependencies.calls.beside.set('mediaservice', (service) => this.#anchor(service));
  }

  /** Running sessions. */
  get size(): number {
    return this.#sessions.size;
  }

  readonly operate: RunningCalls['operate'] = (request, reply) => {
    if (request.operation === 'placeivrcall') return Promise.resolve(this.#place(request.body));
    const session = this.#sessionOf(request, reply);
    const ask = operationOf(request, reply?.refers);
    if (session === undefined) return undefined;
    const id = `op-${++this.#operations}`;
    return new Promise((resolve) => {
      this.#asking.set(id, resolve);
      this.#dependencies.calls.turn(() => {
        session.operate(id, ask);
        // Answered by now, but for a defect.
        this.#caseParts.reply(id, fail('conflict', 'the session has ended'));
      });
    });
  };

  /** The sessions that run now, for an application that has restarted, and the queues. */
  readonly shown: KnownMediaSessions = {
    list: (asked) => sessionPage(this.#sessions.values(), asked, this.#viewPlace),
    byId: (sessionId) => {
      const session = this.#sessions.get(sessionId);
      return session && sessionView(session, this.#viewPlace);
    },
    queues: ({ mediaserviceId }) => {
      const { siteId, hostId } = this.#ports.place;
      return this.#queues
        .figures()
        .filter((each) => (mediaserviceId ?? each.mediaserviceId) === each.mediaserviceId)
        .map((each) => ({ ...each, siteId, hostId }));
    },
  };

  get #viewPlace(): ViewPlace {
    const { clock, place } = this.#ports;
    const { siteId, hostId, siteBaseUrl } = place;
    const differs = clock.wallMs() - clock.monoMs();
    return {
      ...{ siteId, hostId, siteBaseUrl },
      wallOf: (monoMs) => monoMs + differs,
      replyId: (session, refers) => this.#callbacks.replyId(session, refers),
    };
  }

  /** An older handle leads to where its participant is now. */
  #sessionOf(...[request, reply]: Parameters<typeof sessionOf>): MediaServiceSession | undefined {
    const id = sessionOf(request, reply) ?? '';
    const moved = this.#moves.placeOf(participantOf(request, reply?.refers));
    return moved ?? this.#sessions.get(id) ?? this.#moves.heirOf(id);
  }

  /** Takes an event of the media engine for a leg without a call. */
  onMediaEvent(event: MediaEvent): void {
    this.#dependencies.calls.turn(() => this.#onMediaEvent(event));
  }

  #onMediaEvent(event: MediaEvent): void {
    if ('leg' in event) this.#hearing.get(event.leg)?.(event);
    else if (event.kind === 'lost') for (const leg of event.legs) this.#hearing.get(leg)?.(event);
  }

  #arrived({ call, id, request, flow }: ApplicationCall): void {
    const service = this.#ports.tenant().mediaServicesById.get(id);
    if (service === undefined) {
      call.input({ kind: 'refuse', status: 480, text: 'the media service was deleted' });
      return;
    }
    const facts = callingInfo(request, call.origin, flow.remoteAddress);
    const codec = call.leg(call.session.party)?.media.speaks;
    const arrival = { requestUri: request.uriText, ...(codec !== undefined && { codec }) };
    const session = this.#open(call.id, { service, trace: call.trace, facts, arrival });
    session.legs.set(
      firstParticipant({ sessionId: call.id }),
      this.#leg(session, firstParticipant({ sessionId: call.id }), call, facts.callingParty, false),
    );
    session.input({ kind: 'begin' });
  }

  /** placeivrcall: the session exists at once; callbacks report the progress of the call. */
  #place(words: Extract<MediaRequest, { operation: 'placeivrcall' }>['body']): OperationOutcome {
    const { mediaserviceId, destAddr, ...rest } = words;
    const { mediaServices, mediaServicesById } = this.#ports.tenant();
    const service =
      mediaserviceId === undefined ? onlyOf(mediaServices) : mediaServicesById.get(mediaserviceId);
    if (service === undefined)
      return fail('invalid', unnamed(mediaServices, mediaserviceId), '/mediaserviceId');
    if (destAddr === undefined || !isAddress(String(destAddr)))
      return fail('invalid', 'destAddr must be a SIP address or a number', '/destAddr');
    const sessionId = uuid(this.#ports.random(16));
    const trace = new SessionTrace(uuid(this.#ports.random(16)), this.#ports.traceMs, this.#ports.sessions);
    trace.belongsTo(sessionId);
    const callingParty = String(words.sipFrom ?? service.name);
    const calledParty = userOf(String(destAddr));
    const facts = { callingParty, calledParty, fromUser: callingParty };
    const session = this.#open(sessionId, { service, trace, facts }, { ...rest, destAddr } as DialWords);
    this.#dependencies.calls.turn(() => session.input({ kind: 'begin' }));
    const unsent = Object.keys({ ...rest.xHeaders, ...rest.pHeaders }).filter(isNeverSent);
    return ok({
      ...{ sessionId, participantId: firstParticipant({ sessionId }) },
      ...(unsent.length > 0 && { headersNotSent: unsent }),
    });
  }

  #open(
    sessionId: string,
    known: ConstructorParameters<typeof MediaServiceSession>[1],
    placing?: DialWords,
  ): MediaServiceSession {
    const { service } = known;
    const setting = {
      sessionId,
      longestMs: service.maxSessionDuration * 1_000,
      emergencyDestination: service.emergencyDestination,
      emergencyFallback: service.emergencyFallback,
    };
    const state = placing === undefined ? arrivedSession(setting) : placedSession(setting, placing);
    const session = new MediaServiceSession(state, known, this.#caseParts);
    this.#sessions.set(sessionId, session);
    openRecord(session, placing !== undefined);
    return session;
  }

  readonly #caseParts: MediaServiceSessionDependencies = {
    nowMs: () => this.#ports.clock.monoMs(),
    audioOf: (session) => this.#audioOf(session),
    dial: (session, effect) => this.#dial(session, effect),
    ask: (session, request, ask, body) => this.#ports.run(this.#ask(session, request, ask, body)),
    report: (session, report, bodyOf) => {
      noteConnected(session, report);
      const say = (): void =>
        this.#callbacks.report(report.callback, session.origin(refersTo(report)), bodyOf());
      if (report.callback === 'sessionCompleted') this.#moves.completed(session, say);
      else say();
    },
    alarm: (session, effect) => this.#raise(session, effect),
    // In its turn: two callers that ask for the last seat are judged one after the other.
    check: (session, { participant, target }) =>
      this.#dependencies.calls.turn(() =>
        session.input({ kind: 'checked', participant, refusal: refusalAt(this.#sessions, target) }),
      ),
    move: (session, effect) => this.#move(session, effect),
    start: (session, timer, ms) => this.#timers.start(session.id, timer, this.#ports.clock.monoMs() + ms),
    stop: (session, timer) => this.#timers.stop(session.id, timer),
    // After what else the input has led to: a caller is in its queue before it asks for its place.
    placeInQueue: (participant) => this.#dependencies.calls.turn(() => this.#queues.place(participant)),
    queues: (session, next, failed) => this.#queues.follow(session, session.service.id, next, failed),
    reply: (id, outcome) => {
      this.#asking.get(id)?.(outcome);
      this.#asking.delete(id);
    },
    left: (session, participant) => this.#moves.left(participant, session),
    over: (session) => this.#over(session),
    defect: (session, cause) => this.#broken(session, cause),
    later: (session, input) => this.#dependencies.calls.turn(() => session.input(input)),
  };

  #raise(...about: Parameters<typeof raiseMediaAlarm> extends [unknown, ...infer Rest] ? Rest : never): void {
    raiseMediaAlarm({ ...this.#ports, ...this.#dependencies, callbacks: this.#callbacks }, ...about);
  }

  #audioOf(session: MediaServiceSession): SessionAudio {
    const { media, run } = this.#ports;
    const later = this.#caseParts.later;
    return new SessionAudio({
      media,
      sound: this.#dependencies.sound,
      run,
      legOf: (participant) => session.legs.get(participant)?.leg,
      onFault: (connection, { reason }) => later(session, { kind: 'mediaFailed', connection, reason }),
      onRecordingEnded: (recording, reason) =>
        later(session, {
          kind: 'recordingEnded',
          recording,
          failed: reason !== undefined,
          ...(reason !== undefined && { reason }),
        }),
      onRecorded: (fileName, isTranscribed) =>
        session.trace.add('recorded', { fileName, ...(isTranscribed && { transcribed: true }) }),
      names: { accountSid: this.#ports.tenant().domain, callSid: session.id },
      onStream: (wired, event) => {
        reportStream(this.#callbacks, session, wired, event);
        if (event.kind === 'started') return;
        const { id: stream } = wired;
        const reason = event.kind === 'failed' ? { reason: event.reason } : {};
        later(session, { kind: 'streamEnded', stream, ...reason });
      },
      onSpeech: (hearing, event) => {
        if (event.kind === 'started') later(session, { kind: 'speechBegan', hearing });
        else {
          // The words themselves stay out of trace and record.
          session.trace.add('note', { text: speechWords(event.result) });
          later(session, { kind: 'speechEnded', hearing, speech: event.result });
        }
      },
      onNote: (text) => session.trace.add('note', { text }),
      reportOf: (connectionId) => ({
        dest: mediaServiceDestination(session.service.id),
        sessionId: session.id,
        connectionId,
        traceId: session.trace.traceId,
        ...(session.session.reference !== undefined && {
          more: { sessionReferenceId: session.session.reference },
        }),
      }),
    });
  }

  async #ask(session: MediaServiceSession, request: number, ask: Ask, body: Body): Promise<void> {
    const refers =
      ask.callback === 'getIvrCommand'
        ? `${ask.connection} ${request}`
        : ((ask.callback === 'callEvent' ? ask.remaining : undefined) ?? ask.participant);
    const answer = await this.#callbacks.ask(ask.callback, session.origin(refers), body);
    const kind = ask.callback === 'getIvrCommand' ? 'commanded' : 'decided';
    this.#dependencies.calls.turn(() =>
      session.input({ kind, request, answer } as Parameters<typeof session.input>[0]),
    );
  }

  #dial(session: MediaServiceSession, effect: Of<'dial'>): void {
    const { participant, destAddr, words, near, http } = effect;
    const { calls } = this.#dependencies;
    if (http === true) {
      this.#joinHttp(session, effect);
      return;
    }
    if (!isAddress(destAddr)) {
      const failed = { status: 404, reason: 'this is no SIP address', invalidAddress: destAddr };
      this.#caseParts.later(session, { kind: 'failed', participant, ...failed });
      return;
    }
    const asker = near === undefined ? undefined : session.legs.get(near);
    const { callingParty, displayName = '' } = session.factsOf(near);
    const shown = {
      user: asker?.user ?? callingParty,
      display: asker === undefined ? '' : displayName,
      ...(asker?.call && { hopsLeft: asker.call.origin.hopsLeft }),
    };
    const { origin, plan, ringMs } = dialled(words, session.service, shown, this.#ports.tenant().domain);
    const beside = asker?.leg ?? this.#anchor(session.service.id);
    const call = calls.place({
      destination: destAddr,
      origin,
      plan,
      trace: session.trace,
      setting: { purpose: 'mediaService', keepsCaller: true, ringMs },
      near: () => beside,
      onProgress: () => undefined,
    });
    session.legs.set(participant, this.#leg(session, participant, call, userOf(destAddr), false));
  }

  /** `httpcall`: the application takes part by itself. */
  #joinHttp(session: MediaServiceSession, { participant, words, near }: Of<'dial'>): void {
    const { random, media, run } = this.#ports;
    const beside = near === undefined ? undefined : session.legs.get(near)?.leg;
    const party = new HttpParty(participant, session.facts.calledParty, {
      ...{ ...this.#dependencies.audio, media, run, random, latching: false },
      tell: (input) => this.#caseParts.later(session, input),
      listens: (leg, listener) => {
        if (listener === undefined) this.#hearing.delete(leg);
        else this.#hearing.set(leg, listener);
      },
    });
    session.legs.set(participant, party);
    run(party.open(words, beside));
  }

  #leg(
    session: MediaServiceSession,
    id: string,
    call: PartyLeg['call'],
    user: string,
    answered: boolean,
  ): PartyLeg {
    const leg: PartyLeg = new PartyLeg(
      id,
      call,
      user,
      answered,
      (input) => this.#caseParts.later(session, input),
      (oddity) => this.#raise(session, oddAlarm(id, oddity), { user: leg.user, sipCallId: oddity.callId }),
    );
    return leg;
  }

  /** A leg of the service on whose worker its next leg is opened. */
  #anchor(serviceId: string): string | undefined {
    let [legs, anchor]: [number, string | undefined] = [0, undefined];
    for (const session of this.#sessions.values()) {
      if (session.service.id !== serviceId) continue;
      legs += session.legs.size;
      for (const { leg } of session.legs.values()) anchor ??= leg;
    }
    return legs < MOST_TOGETHER ? anchor : undefined;
  }

  /** A participant goes to the session that has what it is to be connected with. */
  #move(from: MediaServiceSession, { participant, target }: Of<'move'>): void {
    const to = sessionWith(this.#sessions, target);
    const leg = from.legs.get(participant);
    const party = from.session.parties.get(participant);
    const refusal = refusalAt(this.#sessions, target);
    if (to === undefined || refusal !== undefined || leg?.call === undefined || party === undefined) {
      this.#caseParts.later(from, { kind: 'unmoved', participant, refusal: refusal ?? STAYS });
      return;
    }
    const { answered, direction } = party;
    const { call, user } = leg;
    this.#dependencies.calls.turn(() => {
      from.trace.add('note', { text: `${participant} moves to session ${to.id}` });
      from.legs.delete(participant);
      to.adopt(participant, this.#leg(to, participant, call, user, answered), from.factsOf(participant));
      this.#moves.moved(participant, from, to);
      from.input({ kind: 'give', participant });
      to.input({ kind: 'adopt', participant: { id: participant, answered, direction }, target });
    });
  }

  /** Ends every party of a session that cannot continue: no person stays on a dead line. */
  #broken(session: MediaServiceSession, cause: unknown): void {
    const { id, legs, trace } = session;
    this.#ports.log('error', 'media_session.defect_caught', 'A defect ended a session of a media service', {
      ...{ id, traceId: trace.traceId, recordId: trace.recordId },
      cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
    });
    trace.add('note', { text: 'a defect of this appliance ended the session' });
    for (const leg of legs.values()) leg.drop(500);
    legs.clear();
    this.#queues.follow(session, session.service.id, NOT_IN_QUEUE);
    this.#over(session);
    for (const participant of session.session.parties.keys()) this.#moves.left(participant, session);
    this.#moves.completed(session, () => {
      const seconds = (this.#ports.clock.monoMs() - session.startedMs) / 1_000;
      this.#callbacks.report('sessionCompleted', session.origin('session'), {
        sessionDuration: seconds.toFixed(3),
        reason: 'defect',
      });
    });
  }

  #over(session: MediaServiceSession): void {
    this.#sessions.delete(session.id);
    this.#timers.stopAll(session.id);
    session.trace.add('sessionEnded', { outcome: session.session.reason });
  }
}

const refersTo = (report: Report): string =>
  report.callback === 'callAnswered'
    ? report.connection
    : report.callback === 'sessionCompleted'
      ? 'session'
      : report.participant;
