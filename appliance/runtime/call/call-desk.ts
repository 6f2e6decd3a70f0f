import { uuid } from '#shared/id.ts';
import type { ApplicationKind, Caller, Route } from '../../call/route/index.ts';
import type { CallInput, CallSetting, LegName } from '../../call/session/index.ts';
import type { ServerTransaction } from '../../sip/endpoint/index.ts';
import type { SipRequest, SipResponse } from '../../sip/message/index.ts';
import type { Attempt } from '../../sip/trunk/index.ts';
import { NamedTimers } from '../named-timers.ts';
import type { RuntimePorts } from '../port.ts';
import { TraceBook } from '../trace-book.ts';
import { Turn } from '../turn.ts';
import { CallCase, type CallCaseParts } from './call-case.ts';
import type {
  ApplicationCall,
  CallArrival,
  CallDeskParts,
  Claim,
  PlacedCall,
  ReceivedCall,
} from './call-desk-face.ts';
import { originOf } from './call-origin.ts';
import { type DialWish, dialWish } from './dial-wish.ts';
import { DirectPath } from './direct-path.ts';
import { InDialogDesk } from './in-dialog-desk.ts';
import { LegBook } from './leg-book.ts';
import { CALL_METHODS, LegOpener } from './leg-opener.ts';
import { attemptOf, tellCalls } from './news.ts';
import { ReferBook } from './refer-book.ts';
import type { SipLeg } from './sip-leg.ts';
import type { SipLegUser } from './sip-leg-face.ts';
import { type CallTarget, TargetDesk, type TargetGroups, towardsAll } from './target-desk.ts';

/** A device stays while people come and go; it may well be silent while it listens. */
const RECEIVER_SETTING: Partial<CallSetting> = { keepsCaller: true, endsSilent: false };

/**
 * Every call of this appliance: whom it is for, its legs and their audio, and all that happens to it. One input runs
 * to completion, then the next.
 */
export class CallDesk {
  readonly #ports: RuntimePorts;
  readonly #parts: CallDeskParts;
  readonly #legs: LegBook;
  readonly #calls = new Map<string, CallCase>();
  /** Call of each leg. */
  readonly #callOf = new Map<LegName, CallCase>();
  readonly #timers: NamedTimers<string>;
  readonly #targets: TargetDesk;
  readonly #opener: LegOpener;
  readonly #refers = new ReferBook();
  readonly #inDialog: InDialogDesk;
  readonly #turn: Turn;
  readonly #paths = new Map<string, DirectPath>();
  /** What follows once the audio of a caller is there. */
  readonly #ready = new Map<LegName, () => void>();
  #names = 1;

  constructor(ports: RuntimePorts, parts: CallDeskParts) {
    this.#ports = ports;
    this.#parts = parts;
    this.#timers = new NamedTimers(ports.clock.monoMs());
    this.#turn = new Turn(
      () => undefined,
      (cause) => ports.log('error', 'a defect met a call', { cause: describe(cause) }),
    );
    const turn = (work: () => void): void => this.#turn.next(work);
    this.#legs = new LegBook(ports, { ...parts, media: ports.media, turn });
    this.#opener = new LegOpener(ports, { ...parts, legs: this.#legs });
    this.#targets = new TargetDesk(ports, parts);
    this.#inDialog = new InDialogDesk({
      media: ports.media,
      run: ports.run,
      refers: this.#refers,
      legs: this.#legs,
      allow: CALL_METHODS,
      callOf: (leg) => this.#callOf.get(leg),
      targets: (call, uri) => this.#groupsFor(call, uri),
      moved: (leg, call) => this.#callOf.set(leg, call),
    });
    ports.media.onEvent = (event) => turn(() => tellCalls(event, (leg) => this.#callOf.get(leg), ports.log));
  }

  /** Takes the calls to alarm bridges once their audio is there; without anybody they are refused. */
  onReceiver: ((arrived: ReceivedCall) => void) | undefined;

  /** Takes the calls to these programs once their audio is there; those nobody takes are refused. */
  readonly onApplication = new Map<ApplicationKind, (arrived: ApplicationCall) => void>();
  /** A leg that a call to a program may be joined with later: its audio is opened beside it. */
  readonly beside = new Map<ApplicationKind, (id: string) => LegName | undefined>();

  /** The alarm bridge of an alarm that waits for this call of its device, whatever it calls. */
  claims: (request: SipRequest, caller: Caller) => Claim | undefined = () => undefined;

  /** Runs when the input before it is done. */
  turn(work: () => void): void {
    this.#turn.next(work);
  }

  /** Everybody that a destination of a call's own leads to. */
  groupsTo(call: CallCase, destination: string): TargetGroups {
    return this.#groupsFor(call, destination);
  }

  /** Calls somebody for ourselves: who answers first speaks with us. Its news tell how it goes. */
  place(wanted: PlacedCall): CallCase {
    const id = uuid(this.#ports.random(16));
    const { origin, trace, setting = {}, wish, destination } = wanted;
    const call = new CallCase(id, undefined, origin, trace, setting, this.#caseParts(id));
    call.wish = wish;
    call.near = wanted.near;
    call.onNews = wanted.onNews;
    this.#calls.set(id, call);
    this.#turn.next(() => {
      const groups = towardsAll(wanted.towards, wanted.groups ?? this.#groupsFor(call, destination));
      call.input({ kind: 'dial', groups: call.named(groups) });
    });
    return call;
  }

  /** Every contact of a device, to be called for ourselves. */
  contactsOf(deviceId: string, wish: DialWish): TargetGroups {
    return this.#targets.device(deviceId, wish.policy);
  }

  /** Running calls. */
  get size(): number {
    return this.#calls.size;
  }

  get running(): Iterable<CallCase> {
    return this.#calls.values();
  }

  /** Peers that are on the line or ring. */
  get legs(): number {
    return this.#legs.size;
  }

  /** Legs in memory, also those that only repeat themselves. */
  get keptLegs(): number {
    return this.#legs.kept;
  }

  get nextDueMs(): number | undefined {
    const [calls, legs] = [this.#timers.nextDueMs, this.#legs.nextDueMs];
    return calls === undefined || legs === undefined ? (calls ?? legs) : Math.min(calls, legs);
  }

  advance(nowMs: number): void {
    this.#legs.advance(nowMs);
    for (const { owner, timer } of this.#timers.advance(nowMs))
      this.#turn.next(() => this.#calls.get(owner)?.input({ kind: 'timer', timer: timer as 'ring' }));
  }

  /** An INVITE outside a dialog. */
  arrive(arrival: CallArrival): void {
    this.#turn.next(() => this.#arrive(arrival));
  }

  /** A request within a dialog; one we do not know is answered 481. */
  requested(request: SipRequest, server: ServerTransaction, nowMs: number): void {
    this.#turn.next(() => {
      const found = this.#legs.byRequest(request);
      if (found === undefined) server.respond({ status: 481 }, nowMs);
      else {
        if (request.method === 'INVITE') this.#legs.invited(server, found.leg);
        this.#callOf.get(found.leg.name)?.onRequest(request);
        found.leg.requested(found.tag, request, server);
      }
    });
  }

  acknowledged(ack: SipRequest): void {
    this.#turn.next(() => {
      const found = this.#legs.byRequest(ack);
      found?.leg.acknowledged(found.tag, ack);
    });
  }

  cancelled(server: ServerTransaction, nowMs: number): void {
    this.#turn.next(() => {
      const leg = this.#legs.byInvite(server);
      if (leg === undefined) server.respond({ status: 487 }, nowMs);
      else leg.cancelled(server);
    });
  }

  #arrive({ request, server, flow, nowMs, caller }: CallArrival): void {
    const { router } = this.#parts;
    const claimed = this.claims(request, caller);
    const route: Route =
      claimed === undefined
        ? router.route(request, flow, caller)
        : { kind: 'receiver', id: claimed.bridgeId };
    const trace = new TraceBook(uuid(this.#ports.random(16)), this.#ports.traceMs);
    const id = uuid(this.#ports.random(16));
    trace.belongsTo(id);
    const source = `${flow.remoteAddress}:${flow.remotePort}`;
    const { method, uriText: uri } = request;
    trace.add('sipReceived', { method, uri, from: request.from.uriText, transport: flow.transport, source });
    trace.add('note', { text: `the call goes to ${JSON.stringify(route)}` });
    const refuse = (status: number, text: string): void => {
      server.respond({ status, headers: [['Warning', `399 ${this.#ports.place.address} "${text}"`]] }, nowMs);
      trace.add('sipAnswered', { status, reason: text });
      this.#parts.pages.add(trace.takePage());
    };
    if (route.kind === 'refused') {
      refuse(route.status, route.text);
      return;
    }
    const taken =
      route.kind === 'application'
        ? this.onApplication.has(route.service)
        : route.kind !== 'receiver' || this.onReceiver !== undefined;
    if (!taken && 'id' in route) {
      refuse(480, `calls to ${route.kind} ${route.id} are not taken by this appliance`);
      return;
    }
    const bridge = route.kind === 'receiver' ? this.#ports.tenant().bridge(route.id) : undefined;
    const policy = router.policyOf(caller, bridge, route);
    const near = route.kind === 'application' ? this.beside.get(route.service)?.(route.id) : claimed?.near;
    const leg = this.#opener.open(
      {
        name: `${id}.1`,
        flow,
        policy,
        follows: caller.kind === 'trunk',
        ...(near !== undefined && { near }),
      },
      this.#user,
    );
    this.#legs.invited(server, leg);
    // A recording client may well have nothing to say for a while.
    const heard = route.kind === 'application' && route.service === 'mediaservice';
    const program = route.kind === 'application' ? { keepsCaller: true, endsSilent: heard } : {};
    const setting = bridge === undefined ? program : RECEIVER_SETTING;
    const origin = originOf(request, caller, this.#ports.tenant().domain);
    const call = new CallCase(id, leg, origin, trace, setting, this.#caseParts(id));
    call.wish = dialWish(caller, bridge);
    this.#calls.set(id, call);
    this.#callOf.set(leg.name, call);
    this.#ready.set(leg.name, () => {
      if (route.kind === 'receiver') {
        this.onReceiver?.({ call, bridgeId: route.id, request, flow, caller });
        return;
      }
      if (route.kind === 'application') {
        const { service, id: program } = route;
        this.onApplication.get(service)?.({ call, service, id: program, request, flow, caller });
        return;
      }
      const groups = this.#targets.of(route, call.wish.policy);
      if (groups.length > 0) call.input({ kind: 'dial', groups: call.named(groups) });
      else call.input({ kind: 'refuse', status: 480, text: 'nobody can be reached there now' });
    });
    if (!leg.arrive(request, server)) this.#over(call);
  }

  /** What the legs tell, as inputs of their calls. */
  readonly #user: SipLegUser = {
    ready: (leg) => {
      const begin = this.#ready.get(leg.name);
      this.#ready.delete(leg.name);
      begin?.();
    },
    progressed: (leg, status, early) =>
      this.#input(leg, { kind: 'progressed', leg: leg.name, status, early }),
    answered: (leg) => {
      this.#attempted(leg, { kind: 'answered', status: 200 });
      this.#input(leg, { kind: 'answered', leg: leg.name });
    },
    failed: (leg, status, response) => this.#failed(leg, status, response),
    acknowledged: (leg) => this.#input(leg, { kind: 'acknowledged', leg: leg.name }),
    ended: (leg, cause, reason) =>
      this.#input(leg, { kind: 'ended', leg: leg.name, cause, ...(reason && { reason }) }),
    held: (leg, direction, by) => this.#input(leg, { kind: 'held', leg: leg.name, direction, by }),
    delivered: (leg, request, server) => this.#inDialog.take(leg, request, server),
    replied: (leg, id, status) => this.#callOf.get(leg.name)?.trace.add('note', { text: `${id}: ${status}` }),
    broken: (leg, status, text) => this.#input(leg, { kind: 'broken', leg: leg.name, status, text }),
  };

  #input(leg: SipLeg, input: CallInput): void {
    this.#callOf.get(leg.name)?.input(input);
  }

  /** True: another target may be tried. */
  #attempted(leg: SipLeg, attempt: Attempt): boolean {
    return this.#callOf.get(leg.name)?.target(leg.name)?.report(attempt) ?? false;
  }

  #failed(leg: SipLeg, status: number, response: SipResponse | undefined): void {
    const call = this.#callOf.get(leg.name);
    if (call === undefined) return;
    if (call.session.phase === 'Arrived' && call.session.party === leg.name) {
      // The caller was refused before anybody was called.
      call.trace.add('sipAnswered', { status });
      this.#over(call);
      return;
    }
    const another = this.#attempted(leg, attemptOf(status, response));
    call.input({ kind: 'failed', leg: leg.name, status, another });
  }

  #caseParts(id: string): CallCaseParts {
    const { media, run } = this.#ports;
    const withLeg = (name: LegName, use: (leg: SipLeg) => void): void => {
      const leg = this.#legs.leg(name);
      if (leg !== undefined) use(leg);
    };
    return {
      newName: () => `${id}.${++this.#names}`,
      dial: (call, name, target) => run(this.#dial(call, name, target)),
      connect: (call, a, b) => {
        this.#straight(call, a, b);
        run(media.connect(a, b, call.wish.relay));
      },
      disconnect: (leg) => {
        this.#paths.get(id)?.stop();
        this.#paths.delete(id);
        run(media.disconnect(leg));
      },
      sendDigit: (leg, digit, durationMs) => this.#inDialog.sendDigit(leg, digit, durationMs),
      referAnswered: (name, status) => withLeg(name, (leg) => this.#refers.answered(leg, status)),
      referTold: (name, status) => withLeg(name, (leg) => this.#refers.told(leg, status)),
      start: (timer, ms) => this.#timers.start(id, timer, this.#ports.clock.monoMs() + ms),
      stop: (timer) => this.#timers.stop(id, timer),
      over: (call) => this.#over(call),
    };
  }

  /** Lets audio run straight between two, where that is wished; a path of before is given up. */
  #straight(call: CallCase, a: LegName, b: LegName): void {
    this.#paths.get(call.id)?.stop();
    this.#paths.delete(call.id);
    if (!call.wish.straight) return;
    this.#turn.next(() => {
      const [one, other] = [call.leg(a), call.leg(b)];
      if (one?.state !== 'up' || other?.state !== 'up') return;
      if (one.media.isWebRtc || other.media.isWebRtc) return;
      const path = new DirectPath(one, other);
      this.#paths.set(call.id, path);
      path.start();
    });
  }

  /** The way is looked for first; meanwhile the attempt may be given up. */
  async #dial(call: CallCase, name: LegName, target: CallTarget): Promise<void> {
    const flow = await target.flow();
    this.#turn.next(() => {
      if (!call.session.ringing.includes(name)) return;
      if (!flow.ok) {
        call.trace.add('note', { text: `${target.uri} cannot be reached: ${flow.error.reason}` });
        const another = target.report({ kind: 'unreachable' });
        call.input({ kind: 'failed', leg: name, status: 503, another });
        return;
      }
      // Or a leg of the media engine that is no leg of a call.
      const near = this.#legs.firstOf(call.session.party, call.near) ?? call.near;
      const { contact } = call.origin;
      const leg = this.#opener.open(
        {
          name,
          flow: flow.value,
          policy: target.policy,
          follows: target.follows,
          target,
          ...(near !== undefined && { near }),
          ...(contact && { contact }),
        },
        this.#user,
      );
      call.add(leg);
      this.#callOf.set(name, call);
      call.trace.add('note', { text: `INVITE ${target.uri} as ${name}` });
      leg.call(this.#opener.planFor(call, target));
    });
  }

  #groupsFor(call: CallCase, destination: string): TargetGroups {
    const { trunkGroupId, mayReachServices, policy } = call.wish;
    const { hopsLeft } = call.origin;
    const route = this.#parts.router.routeTo(destination, { hopsLeft, trunkGroupId, mayReachServices });
    if (route.kind === 'refused') call.trace.add('note', { text: `${destination}: ${route.text}` });
    return this.#targets.of(route, policy);
  }

  #over(call: CallCase): void {
    this.#calls.delete(call.id);
    this.#paths.delete(call.id);
    for (const timer of ['ring', 'duration', 'refer']) this.#timers.stop(call.id, timer);
    for (const leg of call.legs) this.#ready.delete(leg.name);
    this.#parts.pages.add(call.trace.takePage());
    // Its legs are kept by their book while they have something to repeat; nobody listens to them any more.
    for (const leg of call.legs) {
      if (leg.state === 'over') this.#callOf.delete(leg.name);
      this.#inDialog.forget(leg.name);
    }
  }
}

const describe = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
