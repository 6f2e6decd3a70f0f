import type { RemoteCrypto } from '#shared/contract/callback/index.ts';
import type { ReplicatedCloudSipUa } from '#shared/contract/provisioning/index.ts';
import type { RemoteCallRequest } from '#shared/contract/runtime/index.ts';
import { uuid } from '#shared/id.ts';
import { destinationMatcher } from '#shared/matching/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { CallbackPorts } from '../../delivery/callback/index.ts';
import type { DeliveryService } from '../../delivery/delivery-service.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import { SessionTrace } from '../../kernel/session-trace.ts';
import type { MediaPorts } from '../../media/control/index.ts';
import type { OperationFailure, RemoteCalls } from '../../operation/index.ts';
import type { TenantPorts } from '../../replica/index.ts';
import { type ApplicationCall, type CallControl, ORDINARY_POLICY } from '../control/index.ts';
import {
  type AudioRoutes,
  EVENT_TYPE,
  type FarEnd,
  familyOf,
  isAddress,
  MediaCallbacks,
  newKeys,
  PartyLeg,
  type Settled,
  settle,
  userOf,
} from '../media-service/index.ts';
import { CloudUaCall, type CloudUaCallDependencies, type Done, type RemoteTimer } from './cloud-ua-call.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts & JournalPorts & CallbackPorts & MediaPorts;

type Body<O extends RemoteCallRequest['operation']> = Extract<
  RemoteCallRequest,
  { readonly operation: O }
>['body'];

export interface CloudUserAgentsDependencies {
  readonly calls: CallControl;
  readonly delivery: DeliveryService;
  readonly audio: AudioRoutes;
}

/**
 * Cloud SIP user agents at work: calls that come to one are reported to its application, which answers and places calls by
 * operations. Everything happens in the turns of the calls.
 */
export class CloudUserAgents implements RemoteCalls {
  readonly #ports: Ports;
  readonly #dependencies: CloudUserAgentsDependencies;
  readonly #callbacks: MediaCallbacks;
  readonly #sessions = new Map<string, CloudUaCall>();
  readonly #timers: TimerScope<RemoteTimer>;
  /** Keys that newRemoteCall has offered. */
  readonly #offered = new WeakMap<CloudUaCall, readonly RemoteCrypto[]>();

  constructor(ports: Ports, dependencies: CloudUserAgentsDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#callbacks = new MediaCallbacks(ports, dependencies.delivery);
    this.#timers = ports.timers.scope((owner, timer) =>
      dependencies.calls.turn(() => this.#sessions.get(owner)?.timer(timer)),
    );
    dependencies.calls.onApplication.set('cloudsipua', (arrived) => this.#arrived(arrived));
  }

  /** Running calls. */
  get size(): number {
    return this.#sessions.size;
  }

  readonly operate: RemoteCalls['operate'] = (request, id = '') => {
    if (request.operation === 'placeremotecall') return this.#place(request.body);
    const session = this.#sessions.get(id);
    if (session === undefined) return undefined;
    switch (request.operation) {
      case 'answerremotecall':
        return this.#answer(session, request.body);
      case 'sendremotecallringback':
        return this.#inTurn(() => session.ringback());
      case 'hangupcall':
        return this.#inTurn(() => session.hangUp());
      case 'hangupremoteparticipant':
        if (request.body.participantId !== session.participant)
          return Promise.resolve(
            fail('participantUnknown', `${request.body.participantId} is not on the line`, '/participantId'),
          );
        return this.#inTurn(() => session.hangUp());
    }
  };

  #arrived({ call, id, request }: ApplicationCall): void {
    const agent = this.#ports.tenant().cloudSipUa(id);
    if (agent === undefined) {
      call.input({ kind: 'refuse', status: 480, text: 'the cloud SIP user agent was deleted' });
      return;
    }
    const { user: sourceUser, display } = call.origin;
    const destinationUri = request.uriText;
    const facts = {
      sourceUser,
      destinationUri,
      destinationUser: userOf(destinationUri),
      ...(display !== '' && { displayName: display }),
    };
    const { trace } = call;
    const session = new CloudUaCall(
      call.id,
      { agent, trace, facts, callId: request.callId },
      this.#caseParts(),
    );
    trace.open({
      kind: 'cloudUserAgent',
      sessionId: session.id,
      receiver: agent.id,
      receiverName: agent.name,
    });
    session.party = this.#partyOf(session, call, sourceUser);
    this.#sessions.set(session.id, session);
    const speaks = call.leg(call.session.party)?.media.speaks;
    const codec = speaks === 'PCMU' || speaks === 'PCMA' ? speaks : (agent.codecLimit ?? 'PCMA');
    this.#ports.run(this.#open(session, codec, call.session.party));
  }

  async #open(session: CloudUaCall, codec: 'PCMA' | 'PCMU', near: string): Promise<void> {
    const { media, place } = this.#ports;
    // The answer of the application names its family, which may need another leg.
    const family = familyOf(place.address);
    const opened = await media.openLeg({ leg: session.leg, profile: 'ordinary', family, near });
    this.#dependencies.calls.turn(() => {
      // Its caller left while the leg was opened.
      if (session.over) this.#ports.run(this.#ports.media.closeLeg(session.leg));
      else if (!opened.ok) session.refuse(503);
      else {
        const keys = newKeys(this.#ports.random);
        this.#offered.set(session, keys);
        session.opened(opened.value.port, codec, keys, EVENT_TYPE);
      }
    });
  }

  async #answer(session: CloudUaCall, body: Body<'answerremotecall'>): Promise<Done> {
    const settled = this.#settle(body, session.agent, this.#offered.get(session) ?? []);
    return settled.ok ? await session.answer(settled.value, body.sessionReferenceId) : settled;
  }

  /** placeremotecall: where the application may send its audio is known at once; callbacks name the party that answers. */
  async #place(body: Body<'placeremotecall'>): Promise<Done> {
    const { destinationUri, sourceUser, sessionReferenceId } = body;
    if (!isAddress(destinationUri))
      return fail('invalid', 'destinationUri must be a SIP address or a number', '/destinationUri');
    const agent = this.#agentOf(body);
    if (!agent.ok) return agent;
    const settled = this.#settle(body, agent.value);
    if (!settled.ok) return settled;
    const { random, traceMs, media, tenant } = this.#ports;
    const id = uuid(random(16));
    const trace = new SessionTrace(uuid(random(16)), traceMs, this.#ports.sessions);
    trace.belongsTo(id);
    const facts = { sourceUser, destinationUri, destinationUser: userOf(destinationUri) };
    const session = new CloudUaCall(id, { agent: agent.value, trace, facts }, this.#caseParts());
    const { address, family } = settled.value;
    const opened = await media.openLeg({ leg: session.leg, profile: 'ordinary', family });
    if (!opened.ok) return fail('overloaded', opened.error.reason);
    const updated = await media.updateLeg(session.leg, settled.value.stream);
    if (!updated.ok) {
      this.#ports.run(media.closeLeg(session.leg));
      return fail('conflict', updated.error.reason);
    }
    session.reference = sessionReferenceId;
    session.placed({ address, port: opened.value.port }, settled.value.stream.send.codec);
    this.#sessions.set(id, session);
    trace.open({
      kind: 'cloudUserAgent',
      ...{ sessionId: id, receiver: agent.value.id, receiverName: agent.value.name },
      ...{ from: sourceUser, to: facts.destinationUser, requestUri: destinationUri, rule: 'placeremotecall' },
    });
    const call = this.#dependencies.calls.place({
      destination: destinationUri,
      origin: {
        display: '',
        user: sourceUser,
        host: tenant().domain,
        hidden: false,
        trusted: false,
        fields: [],
        hopsLeft: 70,
      },
      plan: {
        policy: ORDINARY_POLICY,
        relay: {},
        straight: false,
        trunkGroupId: undefined,
        mayReachServices: true,
      },
      trace,
      setting: { purpose: 'cloudUa', keepsCaller: true, endsSilent: false },
      near: () => session.leg,
      onProgress: () => undefined,
    });
    session.party = this.#partyOf(session, call, facts.destinationUser);
    const replyId = this.#callbacks.replyId(id, session.participant);
    return ok({ ...session.gain(settled.value), sessionId: id, replyId });
  }

  /**
   * The user agent of a call: named by its callbackBaseUrl, else the one that calls to this user come to, else the only one.
   * `Chosen:` of several with one callbackBaseUrl, to none of which calls to this user come, the first by `order` and id is
   * taken: one application has them all, and it said which user calls.
   */
  #agentOf({
    callbackBaseUrl,
    sourceUser,
  }: Body<'placeremotecall'>): Result<ReplicatedCloudSipUa, OperationFailure> {
    const all = this.#ports.tenant().cloudSipUas;
    const named =
      callbackBaseUrl === undefined ? all : all.filter((agent) => agent.callbackBaseUrl === callbackBaseUrl);
    const only = named.length === 1 ? named[0] : destinationMatcher(named).match(sourceUser);
    if (only !== undefined) return ok(only);
    if (callbackBaseUrl === undefined) return fail('invalid', noneFor(sourceUser, all), '/sourceUser');
    const [first] = named.toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
    return first === undefined
      ? fail('invalid', 'no cloud SIP user agent of the tenant has this callbackBaseUrl', '/callbackBaseUrl')
      : ok(first);
  }

  #settle(
    end: FarEnd,
    { forceRtpRelay: latching }: ReplicatedCloudSipUa,
    offered?: readonly RemoteCrypto[],
  ): Result<Settled, OperationFailure> {
    return settle(end, { ...this.#dependencies.audio, latching, random: this.#ports.random }, offered);
  }

  #partyOf(session: CloudUaCall, call: PartyLeg['call'], user: string): PartyLeg {
    return new PartyLeg(session.participant, call, user, false, (input) =>
      this.#dependencies.calls.turn(() => session.input(input)),
    );
  }

  #inTurn(work: () => Done): Promise<Done> {
    return new Promise((resolve) => this.#dependencies.calls.turn(() => resolve(work())));
  }

  #caseParts(): CloudUaCallDependencies {
    const { media, run, place } = this.#ports;
    return {
      media,
      run,
      callbacks: this.#callbacks,
      turn: (work) => this.#dependencies.calls.turn(work),
      address: place.address,
      start: (session, timer, ms) => this.#timers.start(session.id, timer, this.#ports.clock.monoMs() + ms),
      over: (session) => {
        this.#sessions.delete(session.id);
        this.#timers.stopAll(session.id);
      },
    };
  }
}

/** Chosen: a sentence with more names is not read. */
const MOST_NAMED = 10;

function noneFor(sourceUser: string, all: readonly ReplicatedCloudSipUa[]): string {
  if (all.length === 0) return 'the tenant has no cloud SIP user agent; create one';
  const known = all.slice(0, MOST_NAMED).map(({ name }) => name);
  return `sourceUser ${sourceUser} is that of no cloud SIP user agent; name one by its callbackBaseUrl: ${known.join(', ')}`;
}
