import { uuid } from '#shared/id.ts';
import { Listeners } from '#shared/listeners.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import { Turn } from '../../kernel/turn.ts';
import type { MediaEvent, MediaPorts } from '../../media/control/index.ts';
import type { TenantPorts } from '../../replica/index.ts';
import type { Flow, ServerTransaction } from '../../sip/endpoint/index.ts';
import type { SipRequest } from '../../sip/message/index.ts';
import { type ApplicationKind, type Caller, type Route, routeText } from '../route/index.ts';
import type { LegName } from '../session/index.ts';
import { ActiveCall, type ActiveCallDependencies } from './active-call/active-call.ts';
import { begun, type Claims, firstClaim, openTrace, settingOf } from './active-call/arrival.ts';
import type { CallArrival } from './active-call/call-arrival.ts';
import type {
  ApplicationCall,
  Beginning,
  CallControlDependencies,
  Claim,
  PlacedCall,
  ReceivedCall,
} from './active-call/call-control-port.ts';
import { endTrace, logDefect, tellCalls } from './active-call/call-event.ts';
import { Dialler } from './dialling/dialler.ts';
import { CALL_METHODS, LegOpener } from './dialling/leg-opener.ts';
import { Onward } from './dialling/onward.ts';
import { RedirectFollower } from './dialling/redirect-follower.ts';
import { DirectPaths } from './leg/direct-path.ts';
import { LegTable } from './leg/leg-table.ts';
import type { SipLeg, SipLegUser } from './leg/sip-leg.ts';
import { legEventInputs } from './leg-event.ts';
import { addressFields } from './target/address-fields.ts';
import { originOf } from './target/call-origin.ts';
import { type DialPlan, dialPlanOf } from './target/dial-plan.ts';
import {
  type CallSource,
  type FoundTargets,
  type TargetGroups,
  TargetResolver,
  towardsAll,
} from './target/target-resolver.ts';
import { CallReplacement } from './transfer/call-replacement.ts';
import { InDialogRequests } from './transfer/in-dialog-requests.ts';
import { ReferSubscriptions } from './transfer/refer-subscriptions.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts & MediaPorts;

/**
 * Every call of this appliance: whom it is for, its legs and their audio, and all that happens to it. One input runs
 * to completion, then the next.
 */
export class CallControl {
  readonly #ports: Ports;
  readonly #dependencies: CallControlDependencies;
  readonly #legs: LegTable;
  readonly #calls = new Map<string, ActiveCall>();
  /** Call of each leg. */
  readonly #callOf = new Map<LegName, ActiveCall>();
  readonly #timers: TimerScope<string>;
  readonly #targets: TargetResolver;
  readonly #opener: LegOpener;
  readonly #refers = new ReferSubscriptions();
  readonly #inDialog: InDialogRequests;
  readonly #turn: Turn;
  readonly #onward: Onward;
  readonly #dialler: Dialler;
  readonly #user: SipLegUser;
  readonly #replacing: CallReplacement;
  readonly #paths = new DirectPaths();
  /** The next step of a call, once the audio of its caller is there. */
  readonly #ready = new Map<LegName, () => void>();
  #names = 1;

  constructor(ports: Ports, dependencies: CallControlDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#timers = ports.timers.scope((id, timer) =>
      this.#turn.next(() => this.#calls.get(id)?.input({ kind: 'timer', timer: timer as 'ring' })),
    );
    this.#turn = new Turn(
      () => undefined,
      (cause) => logDefect(cause, ports.log),
    );
    const turn = (work: () => void): void => this.#turn.next(work);
    const others = (leg: LegName, lost: Flow, target: string): readonly Flow[] => {
      const known = this.#legs.leg(leg);
      const peer = known && this.#onward.peerOf(known);
      return peer?.kind === 'device' ? this.#targets.connections(peer.deviceId, lost, target) : [];
    };
    this.#legs = new LegTable(ports, { ...dependencies, media: ports.media, turn, others });
    this.#opener = new LegOpener(ports, { ...dependencies, legs: this.#legs });
    this.#targets = new TargetResolver(ports, dependencies);
    this.#onward = new Onward({ ...dependencies, targets: this.#targets });
    const redirects = new RedirectFollower(this.#onward);
    const callOf = (leg: LegName): ActiveCall | undefined => this.#callOf.get(leg);
    const moved = (leg: LegName, call: ActiveCall) => this.#callOf.set(leg, call);
    this.#inDialog = new InDialogRequests({
      media: ports.media,
      run: ports.run,
      refers: this.#refers,
      allow: CALL_METHODS,
      targets: (call, leg, uri) => this.#onward.groups(call, leg, uri, 'REFER'),
      passes: (leg, other, uri) => this.#onward.passes(leg, other, uri),
      ...{ legs: this.#legs, callOf, moved, nowMs: () => ports.clock.monoMs() },
    });
    this.#replacing = new CallReplacement(ports, {
      pages: dependencies.pages,
      open: (wanted) => this.#opener.open(wanted, this.#user),
      begin: (id, leg, arrival, trace, ready) => {
        openTrace(ports, arrival, { id, trace });
        return this.#begin(id, leg, arrival, { trace, ready });
      },
      over: (call) => this.#over(call),
      ...{ legs: this.#legs, callOf, moved },
    });
    this.#user = legEventInputs({
      ...{ callOf, redirects, inDialog: this.#inDialog },
      over: (call) => this.#over(call),
      ready: (leg) => {
        const begin = this.#ready.get(leg);
        this.#ready.delete(leg);
        begin?.();
      },
    });
    this.#dialler = new Dialler({
      legs: this.#legs,
      opener: this.#opener,
      onward: this.#onward,
      router: dependencies.router,
      user: this.#user,
      ...{ turn, moved, redirects },
    });
  }

  #takeReceived: ((arrived: ReceivedCall) => void) | undefined;
  readonly #claims: Claims[] = [];
  #fallback: ((request: SipRequest) => Route | undefined) | undefined;

  /** Once: calls to alarm bridges go there when their audio is there; without anybody they are refused. */
  takeReceivedBy(take: (arrived: ReceivedCall) => void): void {
    this.#takeReceived = take;
  }

  /** Adds a claimant, who is asked before those that were added earlier. */
  claimedBy(claims: Claims): void {
    this.#claims.unshift(claims);
  }

  /** Once: names the receiver of a call to a number that no device or program of this host has. */
  otherwiseBy(fallback: (request: SipRequest) => Route | undefined): void {
    this.#fallback = fallback;
  }

  /** Takes the calls to these programs once their audio is there; calls to other programs are refused. */
  readonly onApplication = new Map<ApplicationKind, (arrived: ApplicationCall) => void>();
  /** A leg that a call to a program may be joined with later: its audio is opened beside it. */
  readonly beside = new Map<ApplicationKind, (id: string) => LegName | undefined>();

  /** A call is over, once for each; a call that continues in another one emits nothing. */
  readonly over = new Listeners<[call: ActiveCall]>();

  /** The alarm that waits for this call of its device, or of its receiver, whatever it calls. */
  claims(request: SipRequest, caller: Caller): Claim | undefined {
    return firstClaim(this.#claims, request, caller);
  }

  /** A call finds no callee on this host. */
  readonly unanswered = new Listeners<[request: SipRequest, caller: Caller, flow: Flow]>();

  /** Takes an event of the media engine for a leg of a call. */
  onMediaEvent(event: MediaEvent): void {
    this.turn(() => tellCalls(event, (leg) => this.#callOf.get(leg)));
  }

  turn(work: () => void): void {
    this.#turn.next(work);
  }

  /** Everybody that a destination of a call's own leads to. */
  targetsTo(call: ActiveCall, destination: string): FoundTargets {
    const { trunkGroupId, mayReachServices, policy } = call.plan;
    const { hopsLeft } = call.origin;
    const route = this.#dependencies.router.routeTo(destination, {
      hopsLeft,
      trunkGroupId,
      mayReachServices,
    });
    if (route.kind === 'refused') call.trace.add('note', { text: `${destination}: ${route.text}` });
    return this.#targets.found(route, policy);
  }

  /** Where a destination of a call of ours would lead, without a call. */
  routeTo(destination: string, { trunkGroupId, mayReachServices }: DialPlan): Route {
    return this.#dependencies.router.routeTo(destination, { trunkGroupId, mayReachServices });
  }

  /** Places a call of our own: the first callee that answers speaks with us. Its events report the progress. */
  place(wanted: PlacedCall): ActiveCall {
    const id = uuid(this.#ports.random(16));
    const { origin, trace, setting = {}, plan, destination } = wanted;
    const call = new ActiveCall(id, undefined, origin, trace, setting, this.#caseParts(id));
    call.plan = plan;
    if (wanted.near !== undefined) call.findNear = wanted.near;
    call.watchedBy({ onProgress: wanted.onProgress });
    this.#calls.set(id, call);
    this.#turn.next(() => {
      const { groups, unreached } = wanted.found ?? this.targetsTo(call, destination);
      call.input({ kind: 'dial', groups: call.named(towardsAll(wanted.towards, groups)), unreached });
    });
    return call;
  }

  /** Contacts of a device to be called for ourselves, because of something that came from this source. */
  answering(deviceId: string, source: CallSource, plan: DialPlan): TargetGroups {
    return this.#targets.answering(deviceId, source, plan.policy);
  }

  /** The way of a peer that is on the line or rings. */
  flowOf(leg: LegName): Flow | undefined {
    return this.#legs.leg(leg)?.signalling.flow;
  }

  /** Running calls. */
  get size(): number {
    return this.#calls.size;
  }

  get running(): Iterable<ActiveCall> {
    return this.#calls.values();
  }

  /** Is a call under way whose peer is reached by this connection? */
  uses(flow: Flow): boolean {
    return this.#legs.uses(flow);
  }

  /** A connection is lost: legs without a transaction of their own learn it by this. */
  connectionLost(flow: Flow): void {
    if (flow.connection !== 0) this.#turn.next(() => this.#legs.connectionLost(flow));
  }

  /** Peers that are on the line or ring. */
  get legs(): number {
    return this.#legs.size;
  }

  /** Legs in memory, also those that only repeat themselves. */
  get keptLegs(): number {
    return this.#legs.kept;
  }

  /** An INVITE outside a dialog. */
  arrive(arrival: CallArrival): void {
    this.#turn.next(() => {
      if (!this.#replacing.takes(arrival)) this.#arrive(arrival);
    });
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

  #arrive(arrival: CallArrival): void {
    const { request, server, flow, caller } = arrival;
    const { router } = this.#dependencies;
    const claimed = this.claims(request, caller);
    const found: Route = claimed?.route ?? router.route(request, flow, caller);
    const isNobodys = found.kind === 'refused' && found.status === 404;
    const route = (isNobodys ? this.#fallback?.(request) : undefined) ?? found;
    const { id, trace, refuse } = begun(this.#ports, this.#dependencies.pages, arrival);
    trace.add('note', { text: routeText(route) });
    openTrace(this.#ports, arrival, { id, trace, route });
    if (route.kind === 'refused') {
      if (route.status === 404) this.unanswered.emit(request, caller, flow);
      refuse(route.status, route.text);
      return;
    }
    const taken =
      route.kind === 'application'
        ? this.onApplication.has(route.service)
        : route.kind !== 'receiver' || this.#takeReceived !== undefined;
    if (!taken && 'id' in route) {
      refuse(480, `calls to ${route.kind} ${route.id} are not taken by this appliance`);
      return;
    }
    const bridge = route.kind === 'receiver' ? this.#ports.tenant().bridge(route.id) : undefined;
    const setting = settingOf(route, addressFields(request.uriText)?.user ?? '');
    const emergency = setting.purpose === 'emergency' ? ({ urgent: true } as const) : {};
    const policy = { ...router.policyOf(caller, bridge, route), ...emergency };
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
    const ready = (): void => {
      if (route.kind === 'receiver') {
        this.#takeReceived?.({ call, bridgeId: route.id, request, flow, caller });
        return;
      }
      if (route.kind === 'application') {
        const { service, id: program } = route;
        this.onApplication.get(service)?.({ call, service, id: program, request, flow, caller });
        return;
      }
      const { groups, unreached } = this.#targets.found(route, call.plan.policy);
      if (groups.length > 0) call.input({ kind: 'dial', groups: call.named(groups) });
      else call.input({ kind: 'refuse', status: 480, text: unreached.text });
    };
    const call = this.#begin(id, leg, arrival, {
      trace,
      ready,
      setting,
      bridge,
    });
    call.plan = { ...call.plan, policy: { ...call.plan.policy, ...emergency } };
    if (!leg.arrive(request, server)) this.#over(call);
  }

  /** A call as its INVITE has made it; `ready` follows once the audio of its caller is there. */
  #begin(id: string, leg: SipLeg, { request, caller }: CallArrival, so: Beginning): ActiveCall {
    const origin = originOf(request, caller, this.#ports.tenant().domain);
    const call = new ActiveCall(id, leg, origin, so.trace, so.setting ?? {}, this.#caseParts(id));
    call.plan = dialPlanOf(caller, so.bridge);
    call.inside = caller.kind === 'own';
    this.#calls.set(id, call);
    this.#callOf.set(leg.name, call);
    if (caller.kind !== 'own') this.#onward.met(leg, caller);
    this.#ready.set(leg.name, so.ready);
    return call;
  }

  #caseParts(id: string): ActiveCallDependencies {
    const { media, run } = this.#ports;
    const withLeg = (name: LegName, use: (leg: SipLeg) => void): void => {
      const leg = this.#legs.leg(name);
      if (leg !== undefined) use(leg);
    };
    return {
      newName: () => `${id}.${++this.#names}`,
      dial: (call, name, target) => run(this.#dialler.dial(call, name, target)),
      connect: (call, a, b) => {
        this.#straight(call, a, b);
        run(media.connect(a, b, call.plan.relay));
      },
      disconnect: (leg) => {
        this.#paths.stop(id);
        run(media.disconnect(leg));
      },
      sendDigit: (leg, digit, durationMs) => this.#inDialog.sendDigit(leg, digit, durationMs),
      referAnswered: (name, status) => withLeg(name, (leg) => this.#refers.answered(leg, status)),
      referProgress: (name, status) => withLeg(name, (leg) => this.#refers.onProgress(leg, status)),
      start: (timer, ms) => this.#timers.start(id, timer, this.#ports.clock.monoMs() + ms),
      stop: (timer) => this.#timers.stop(id, timer),
      over: (call) => {
        this.#over(call);
        this.over.emit(call);
      },
      nowMs: () => this.#ports.clock.monoMs(),
      keep: (call) => this.#dependencies.pages.add(call.trace.takePage()),
    };
  }

  /** Lets audio run straight between two, where the plan allows it; a path of before is given up. */
  #straight(call: ActiveCall, a: LegName, b: LegName): void {
    this.#paths.stop(call.id);
    if (call.plan.straight) this.#turn.next(() => this.#paths.begin(call.id, call.leg(a), call.leg(b)));
  }

  #over(call: ActiveCall): void {
    endTrace(call);
    this.#calls.delete(call.id);
    this.#paths.forget(call.id);
    this.#dependencies.pages.add(call.trace.takePage());
    // The leg table keeps its legs while they have something to repeat; no call listens to them any more.
    for (const leg of call.legs) {
      this.#ready.delete(leg.name);
      if (leg.state === 'over') this.#callOf.delete(leg.name);
      this.#inDialog.forget(leg);
    }
  }
}
