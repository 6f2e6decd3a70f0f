import type { LegName } from '../../call/session/index.ts';
import type { Media } from '../../media/control/index.ts';
import type { WebRtcEvent } from '../../media/webrtc/index.ts';
import { dialogKey } from '../../sip/dialog/index.ts';
import type { ServerTransaction, SipEndpoint } from '../../sip/endpoint/index.ts';
import type { Lookup } from '../../sip/location/index.ts';
import type { SipRequest } from '../../sip/message/index.ts';
import { NamedTimers } from '../named-timers.ts';
import type { RuntimePorts } from '../port.ts';
import { familyOf } from './address.ts';
import { SipLeg } from './sip-leg.ts';
import type { SipLegParts, SipLegPlan, SipLegUser } from './sip-leg-face.ts';
import { legOf } from './web-path.ts';

/** Once it is over, a leg answers what is repeated for 64 x T1, ms. */
const KEPT_MS = 32_000;

export interface LegBookParts {
  readonly endpoint: SipEndpoint;
  readonly media: Media;
  readonly lookup: Lookup;
  readonly turn: (work: () => void) => void;
}

/** What the legs need of the rim; a telephone has no more. */
export type LegBookPorts = Pick<RuntimePorts, 'clock' | 'random' | 'run' | 'webrtc'> & {
  readonly place: Pick<RuntimePorts['place'], 'address'>;
};

interface Found {
  readonly leg: SipLeg;
  /** Which of its dialogs. */
  readonly tag: string;
}

/** Every leg there is, by each thing it is looked for by, with its timers. */
export class LegBook {
  readonly #ports: LegBookPorts;
  readonly #parts: LegBookParts;
  readonly #legs = new Map<LegName, SipLeg>();
  readonly #dialogs = new Map<string, Found>();
  readonly #dialogsOf = new Map<LegName, Set<string>>();
  readonly #invites = new WeakMap<ServerTransaction, SipLeg>();
  readonly #timers: NamedTimers<string>;
  readonly #running = new Map<LegName, Set<string>>();
  #live = 0;

  constructor(ports: LegBookPorts, parts: LegBookParts) {
    this.#ports = ports;
    this.#parts = parts;
    this.#timers = new NamedTimers(ports.clock.monoMs());
    if (ports.webrtc !== undefined) ports.webrtc.onEvent = (event) => parts.turn(() => this.#webrtc(event));
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
    return this.#legs.get(name);
  }

  /** The first of these that is here: who will be joined must be on one worker of the media engine. */
  firstOf(...names: readonly (LegName | undefined)[]): LegName | undefined {
    return names.find((name) => name !== undefined && this.#legs.has(name));
  }

  open(plan: SipLegPlan, user: SipLegUser, answerChallenge?: SipLegParts['answerChallenge']): SipLeg {
    const { name } = plan;
    const { endpoint, media, turn } = this.#parts;
    const { clock, random, run, place, webrtc } = this.#ports;
    const parts: SipLegParts = {
      endpoint,
      media,
      ...(webrtc && { webrtc }),
      turn,
      run,
      random,
      agent: place.address,
      nowMs: () => clock.monoMs(),
      chance: () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32,
      resolve: (host, family) => this.#resolve(host, family),
      start: (timer, ms) => this.#start(name, timer, ms),
      stop: (timer) => this.#stop(name, timer),
      file: (key, tag) => this.#file(key, leg, tag),
      retire: () => this.#retire(name),
      ...(answerChallenge && { answerChallenge }),
    };
    const leg: SipLeg = new SipLeg(plan, parts, user);
    this.#legs.set(name, leg);
    this.#live++;
    return leg;
  }

  /** For a CANCEL of it. */
  invited(server: ServerTransaction, leg: SipLeg): void {
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

  get nextDueMs(): number | undefined {
    return this.#timers.nextDueMs;
  }

  advance(nowMs: number): void {
    for (const { owner, timer } of this.#timers.advance(nowMs)) {
      this.#running.get(owner)?.delete(timer);
      if (timer === 'kept') this.#forget(owner);
      else this.#parts.turn(() => this.#legs.get(owner)?.timer(timer));
    }
  }

  #start(owner: LegName, timer: string, ms: number): void {
    this.#timers.start(owner, timer, this.#ports.clock.monoMs() + ms);
    const running = this.#running.get(owner);
    if (running === undefined) this.#running.set(owner, new Set([timer]));
    else running.add(timer);
  }

  #stop(owner: LegName, timer: string): void {
    this.#timers.stop(owner, timer);
    this.#running.get(owner)?.delete(timer);
  }

  #file(key: string, leg: SipLeg, tag: string): void {
    if (this.#dialogs.has(key)) return;
    this.#dialogs.set(key, { leg, tag });
    const keys = this.#dialogsOf.get(leg.name);
    if (keys === undefined) this.#dialogsOf.set(leg.name, new Set([key]));
    else keys.add(key);
  }

  #retire(name: LegName): void {
    this.#live--;
    this.#start(name, 'kept', KEPT_MS);
  }

  #forget(name: LegName): void {
    for (const timer of this.#running.get(name) ?? []) this.#timers.stop(name, timer);
    this.#running.delete(name);
    for (const key of this.#dialogsOf.get(name) ?? []) this.#dialogs.delete(key);
    this.#dialogsOf.delete(name);
    this.#legs.delete(name);
  }

  #webrtc(event: WebRtcEvent): void {
    if (event.kind === 'failed') this.#legs.get(legOf(event.id))?.media.disconnected(event.id, event.reason);
  }

  async #resolve(host: string, family: 4 | 6): Promise<string | undefined> {
    const found = await this.#parts.lookup.addresses(host);
    return found.ok ? found.value.find((address) => familyOf(address) === family) : undefined;
  }
}
