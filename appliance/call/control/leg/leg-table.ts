import { bracketed } from '#shared/host-port.ts';
import type { TimerPorts, TimerScope } from '../../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import type { Media } from '../../../media/control/index.ts';
import type { WebRtcEvent, WebRtcPorts } from '../../../media/webrtc/index.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import { dialogKey } from '../../../sip/dialog/index.ts';
import type { Flow, ServerTransaction, SipEndpoint } from '../../../sip/endpoint/index.ts';
import type { Lookup } from '../../../sip/location/index.ts';
import type { SipRequest } from '../../../sip/message/index.ts';
import type { LegName } from '../../session/index.ts';
import type { NextHopResolver } from '../../trunk/index.ts';
import { familyOf } from '../leg-media/address.ts';
import { legOf } from '../leg-media/web-path.ts';
import type { SipLegUser } from './sip-leg.ts';
import { SipLeg } from './sip-leg.ts';
import type { SipLegDependencies, SipLegPlan } from './sip-leg-port.ts';

/** Once it is over, a leg answers what is repeated for 64 x T1, ms. */
const KEPT_MS = 32_000;

export interface LegTableDependencies {
  readonly endpoint: SipEndpoint;
  readonly media: Media;
  readonly lookup: Lookup;
  /** Opens flows to hosts that peers name in Contact or Record-Route. */
  readonly reach?: Pick<NextHopResolver, 'open'>;
  /** Other connections of the peer of a leg, when the one it had is closed. */
  readonly others?: (leg: LegName, gone: Flow, target: string) => readonly Flow[];
  readonly turn: (work: () => void) => void;
}

/** The ports that the legs need; a telephone has no more. */
export type LegTablePorts = Pick<KernelPorts, 'clock' | 'random' | 'run'> &
  TimerPorts &
  WebRtcPorts & {
    readonly place: Pick<TenantPorts['place'], 'address'>;
  };

interface Found {
  readonly leg: SipLeg;
  /** Which of its dialogs. */
  readonly tag: string;
}

/** A leg and what it is looked for by. */
interface Filed {
  readonly leg: SipLeg;
  readonly dialogs: string[];
  invite: ServerTransaction | undefined;
  over: boolean;
}

/** Every leg there is, by each thing it is looked for by, with its timers. */
export class LegTable {
  readonly #ports: LegTablePorts;
  readonly #dependencies: LegTableDependencies;
  readonly #legParts: SipLegDependencies;
  readonly #legs = new Map<LegName, Filed>();
  readonly #dialogs = new Map<string, Found>();
  /** INVITEs that a CANCEL may still come for. */
  readonly #invites = new Map<ServerTransaction, SipLeg>();
  readonly #timers: TimerScope<string>;
  #live = 0;

  constructor(ports: LegTablePorts, dependencies: LegTableDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#timers = ports.timers.scope((leg, timer) => this.#due(leg, timer));
    this.#legParts = this.#partsOfLegs();
    ports.webrtc?.events.add((event) => dependencies.turn(() => this.#webrtc(event)));
  }

  /** Legs with a peer; those that only repeat themselves are not among them. */
  get size(): number {
    return this.#live;
  }

  /** Legs in memory, also those that are over. */
  get kept(): number {
    return this.#legs.size;
  }

  leg(name: LegName): SipLeg | undefined {
    return this.#legs.get(name)?.leg;
  }

  /** The first of these that is here: who will be joined must be on one worker of the media engine. */
  firstOf(...names: readonly (LegName | undefined)[]): LegName | undefined {
    return names.find((name) => name !== undefined && this.#legs.has(name));
  }

  open(plan: SipLegPlan, user: SipLegUser): SipLeg {
    const leg = new SipLeg(plan, this.#legParts, user);
    this.#legs.set(plan.name, { leg, dialogs: [], invite: undefined, over: false });
    this.#live++;
    return leg;
  }

  #partsOfLegs(): SipLegDependencies {
    const { endpoint, media, turn, reach, others } = this.#dependencies;
    const { clock, random, run, place, webrtc } = this.#ports;
    return {
      endpoint,
      media,
      ...(webrtc && { webrtc }),
      turn,
      run,
      random,
      agent: bracketed(place.address),
      nowMs: () => clock.monoMs(),
      chance: () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32,
      ...(reach && {
        find: (uri, found) => run(reach.open(uri).then((flow) => turn(() => found(flow)))),
      }),
      ...(others && { others }),
      resolve: (host, family) => this.#resolve(host, family),
      start: (leg, timer, ms) => this.#start(leg, timer, ms),
      stop: (leg, timer) => this.#timers.stop(leg, timer),
      file: (leg, key, tag) => this.#file(leg, key, tag),
      retire: (leg) => this.#retire(leg),
      settled: (leg) => this.#settled(leg),
    };
  }

  /** For a CANCEL of it. */
  invited(server: ServerTransaction, leg: SipLeg): void {
    const filed = this.#legs.get(leg.name);
    if (filed === undefined || server.answered) return;
    if (filed.invite !== undefined) this.#invites.delete(filed.invite);
    filed.invite = server;
    this.#invites.set(server, leg);
  }

  byInvite(server: ServerTransaction): SipLeg | undefined {
    return this.#invites.get(server);
  }

  byRequest(request: SipRequest): Found | undefined {
    const { callId, to, from } = request;
    return this.#dialogs.get(dialogKey(callId, to.tag ?? '', from.tag ?? ''));
  }

  byDialog(key: string): SipLeg | undefined {
    return this.#dialogs.get(key)?.leg;
  }

  /** Does a call need this connection, which only its peer could open again? */
  uses({ connection }: Flow): boolean {
    for (const { leg } of this.#legs.values()) if (leg.signalling.flow.connection === connection) return true;
    return false;
  }

  /** A connection is closed. */
  connectionLost(flow: Flow): void {
    for (const { leg } of this.#legs.values()) leg.signalling.connectionLost(flow);
  }

  #due(name: LegName, timer: string): void {
    if (timer === 'kept') this.#forget(name);
    else this.#dependencies.turn(() => this.#legs.get(name)?.leg.timer(timer));
  }

  #start(owner: LegName, timer: string, ms: number): void {
    if (this.#legs.has(owner)) this.#timers.start(owner, timer, this.#ports.clock.monoMs() + ms);
  }

  /** A forgotten leg gets no new dialog: a fork that answers late is still acknowledged and ended. */
  #file(name: LegName, key: string, tag: string): void {
    const filed = this.#legs.get(name);
    if (filed === undefined || this.#dialogs.has(key)) return;
    this.#dialogs.set(key, { leg: filed.leg, tag });
    filed.dialogs.push(key);
  }

  #retire(name: LegName): void {
    const filed = this.#legs.get(name);
    if (filed === undefined || filed.over) return;
    filed.over = true;
    this.#live--;
    if (filed.leg.signalling.isSettled) this.#forget(name);
    else this.#start(name, 'kept', KEPT_MS);
  }

  /** The leg has nothing left to repeat, and its dialogs are answered as unknown ones: 481. */
  #settled(name: LegName): void {
    if (this.#legs.get(name)?.over === true) this.#forget(name);
  }

  #forget(name: LegName): void {
    const filed = this.#legs.get(name);
    if (filed === undefined) return;
    this.#timers.stopAll(name);
    for (const key of filed.dialogs) this.#dialogs.delete(key);
    if (filed.invite !== undefined) this.#invites.delete(filed.invite);
    this.#legs.delete(name);
    filed.leg.signalling.release();
  }

  #webrtc(event: WebRtcEvent): void {
    if (event.kind === 'failed')
      this.#legs.get(legOf(event.id))?.leg.media.disconnected(event.id, event.reason);
  }

  async #resolve(host: string, family: 4 | 6): Promise<string | undefined> {
    const found = await this.#dependencies.lookup.addresses(host);
    return found.ok ? found.value.find((address) => familyOf(address) === family) : undefined;
  }
}
