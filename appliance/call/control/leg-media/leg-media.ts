import { fail, ok, type Result } from '#shared/result.ts';
import type {
  LegDirection,
  LegId,
  LegStatistics,
  LegStream,
  Media,
  MediaFault,
} from '../../../media/control/index.ts';
import type { WebRtc, WebRtcId } from '../../../media/webrtc/index.ts';
import {
  type Agreement,
  acceptAnswer,
  answerOffer,
  type CodecName,
  createOffer,
  formatSdp,
  type IceFragment,
  type LegPlan,
  type LocalDescription,
  parseSdp,
  refuse,
  type SdpRefusal,
  type SessionPlan,
  type Stream,
} from '../../../sip/sdp/index.ts';
import { familyOf, isNumeric } from './address.ts';
import { ExtraLegs } from './extra-legs.ts';
import type { LegPolicy } from './leg-policy.ts';
import { legStreamOf } from './leg-stream.ts';
import { webRtcIn, webRtcOf } from './web-offer.ts';
import { type WebLegPlan, WebPath } from './web-path.ts';

export {
  ALARM_POLICY,
  type LegPolicy,
  ORDINARY_POLICY,
  RECORDER_POLICY,
  trunkPolicy,
} from './leg-policy.ts';

export interface LegMediaDependencies {
  readonly media: Media;
  /** Without it WebRTC is refused. */
  readonly webrtc?: WebRtc;
  readonly random: (length: number) => Uint8Array;
  /** First address of a host name; undefined when it has none. */
  readonly resolve: (host: string, family: 4 | 6) => Promise<string | undefined>;
  readonly run: (work: Promise<unknown>) => void;
}

export interface LegMediaPlan {
  readonly leg: LegId;
  readonly policy: LegPolicy;
  /** Our address towards this peer. */
  readonly address: string;
  /** Where its SIP comes from. */
  readonly sipSource: string;
  readonly secureSignalling: boolean;
  /** Our offers are those of WebRTC: the peer is a browser, its SIP comes over WebSocket. */
  readonly offersWebRtc: boolean;
  /** Opened on the worker of this leg: they will be joined. */
  readonly near?: LegId;
}

/**
 * The audio of one leg: our side of offers and answers, and the media leg that serves what they settle. Descriptions
 * are made at once; commands to the engine follow in the order in which they were settled.
 */
export class LegMedia {
  readonly leg: LegId;
  #measured: (statistics: LegStatistics) => void = () => {};
  readonly #dependencies: LegMediaDependencies;
  readonly #onBroken: (reason: string) => void;
  readonly #plan: LegMediaPlan;
  readonly #session: Omit<SessionPlan, 'legs'>;
  readonly #web: WebPath | undefined;
  readonly #extra: ExtraLegs | undefined;
  #offersWebRtc: boolean;
  #port = 0;
  #closed = false;
  /** Version of our last description, once a description of another party went out as ours. */
  #stamp = 0;
  #direction: LegDirection = 'sendrecv';
  #agreement: Agreement | undefined;
  #offered: LocalDescription | undefined;
  /** Early answers to it. */
  readonly #forks = new Map<string, Agreement>();
  /** Agreement of an answer that is not sent yet. */
  #proposed: Agreement | undefined;
  /** A host name that must be resolved first holds up the updates behind it. */
  #updates: Promise<void> = Promise.resolve();

  /** `onBroken`: what was agreed cannot be served. */
  constructor(plan: LegMediaPlan, dependencies: LegMediaDependencies, onBroken: (reason: string) => void) {
    const { leg, policy, address, secureSignalling } = plan;
    this.leg = leg;
    this.#plan = plan;
    this.#dependencies = dependencies;
    this.#onBroken = onBroken;
    const { webrtc, run } = dependencies;
    const family = familyOf(address);
    this.#web = webrtc && new WebPath({ leg, webrtc, run, family });
    this.#offersWebRtc = webrtc !== undefined && plan.offersWebRtc;
    const update = (leg: LegId, stream: Stream | undefined): void => this.#follow(stream, leg);
    if (policy.records || policy.copies) {
      this.#direction = policy.records ? 'recvonly' : 'sendonly';
      this.#extra = new ExtraLegs(leg, { media: dependencies.media, run, family, update });
    }
    const id = dependencies.random(6).reduce((number, byte) => number * 256 + byte, 0);
    this.#session = {
      origin: { username: 'carillon', sessionId: String(id), address: { family, host: address } },
      srtp: policy.srtp,
      secureSignalling,
      newKey: () => dependencies.random(30),
    };
  }

  /** Takes a port, and whatever an offer of the peer or of ours needs; before that nothing can be described. */
  async open(offer?: Uint8Array): Promise<Result<undefined, MediaFault>> {
    const { leg, policy, address, near } = this.#plan;
    const opened = await this.#dependencies.media.openLeg({
      leg,
      profile: policy.profile,
      ...(policy.urgent && { urgent: true }),
      family: familyOf(address),
      ...(near !== undefined && { near }),
    });
    if (!opened.ok) return opened;
    this.#port = opened.value.port;
    this.#web?.at(opened.value);
    if (this.#closed) {
      this.#dependencies.run(this.#dependencies.media.closeLeg(leg));
      return ok(undefined);
    }
    if (policy.copies === undefined) await this.#extra?.open(offer);
    else await this.#extra?.have(policy.copies.length - 1);
    return (await this.prepare(offer)) ?? ok(undefined);
  }

  /**
   * Makes ready what the answer to this offer needs; without an offer, what our own offer needs.
   *
   * @returns undefined: nothing is missing
   */
  prepare(sdp?: Uint8Array): Promise<Result<undefined, MediaFault>> | undefined {
    const [web, extra] = [this.#web, this.#extra];
    if (extra?.lacks(sdp)) return extra.open(sdp).then(() => ok(undefined));
    if (web === undefined) return undefined;
    if (sdp === undefined) return this.#offersWebRtc ? asMedia(web.prepare()) : undefined;
    const remote = webRtcOf(sdp);
    return remote && web.wants(remote) ? asMedia(web.prepare(remote)) : undefined;
  }

  /** Tells this one once, after the end, and no other any more. */
  measuredBy(measured: (statistics: LegStatistics) => void): void {
    this.#measured = measured;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#proposed = undefined;
    this.#agreement = undefined;
    this.#offered = undefined;
    this.#web?.close();
    this.#extra?.close();
    if (this.#port !== 0) this.#dependencies.run(this.#end());
  }

  async #end(): Promise<void> {
    const closed = await this.#dependencies.media.closeLeg(this.leg);
    if (closed.ok) this.#measured(closed.value);
  }

  /** Codec and far end of what is agreed. */
  get stream(): Stream | undefined {
    return streamIn(this.#agreement);
  }

  /** Codec towards the peer, agreed or in the answer it will get. */
  get speaks(): string | undefined {
    return streamIn(this.#agreement ?? this.#proposed)?.send.name;
  }

  /** Each stream of a recording session in the order of its description: who hears it, and its label. */
  get channels(): readonly { readonly leg: LegId; readonly label?: string }[] {
    const { streams = [], remote, local } = this.#agreement ?? {};
    // RFC 4574 4: a label belongs to the description that holds it. The sender of the streams has named them.
    const named = this.#plan.policy.copies === undefined ? remote : local;
    return streams.flatMap((stream, index) => {
      const leg = stream === null ? undefined : this.#extra?.legOf(stream);
      const label = named?.media[index]?.label;
      return leg === undefined ? [] : [{ leg, ...(label !== undefined && { label }) }];
    });
  }

  /** Takes the direction that we want from now on; true: it differs from the one before and must be offered. */
  want(direction: LegDirection): boolean {
    if (direction === this.#direction) return false;
    this.#direction = direction;
    return true;
  }

  /** Our offer. It stays open until it is answered or dropped. */
  offer(): Uint8Array {
    this.#offered = createOffer(this.#sessionPlan(this.#web?.offering()), this.#agreement);
    return this.#stamped(formatSdp(this.#offered));
  }

  /** The peer takes no WebRTC, though it seemed so: from now on plain audio is offered. False: it was before. */
  offerPlain(): boolean {
    if (!this.#offersWebRtc) return false;
    this.#offersWebRtc = false;
    this.#offered = undefined;
    this.#web?.use(undefined);
    return true;
  }

  /** The offer found no answer: the agreement before it continues. */
  dropOffer(): void {
    this.#offered = undefined;
  }

  /** @returns the direction an offer asks for, before it is answered; undefined: it cannot be read */
  wanted(sdp: Uint8Array): LegDirection | undefined {
    const offer = parseSdp(sdp);
    if (!offer.ok) return undefined;
    const audio = offer.value.media.find(({ kind, port }) => kind === 'audio' && port > 0);
    return audio && FROM_US[audio.direction];
  }

  /** Our answer to an offer of the peer. `commit` puts it into force. */
  answerTo(sdp: Uint8Array): Result<{ readonly sdp: Uint8Array; readonly commit: () => void }, SdpRefusal> {
    const offer = parseSdp(sdp);
    if (!offer.ok) return offer;
    const remote = webRtcIn(offer.value);
    const against = remote && this.#web?.reasonAgainst(remote);
    if (against !== undefined) return refuse('NoSecurity', against);
    const plan = this.#sessionPlan(remote && this.#web?.answering(remote));
    const agreement = answerOffer(offer.value, plan, this.#agreement);
    if (!agreement.ok) return agreement;
    this.#proposed = agreement.value;
    const commit = (): void => this.#settle(agreement.value);
    return { ok: true, value: { sdp: this.#stamped(formatSdp(agreement.value.local)), commit } };
  }

  /** The peer's answer to our offer. `fork`: an early one of this fork; its 2xx, or another fork, may answer otherwise. */
  take(sdp: Uint8Array, fork?: string): Result<undefined, SdpRefusal> {
    const offered = this.#offered;
    // An answer without a pending offer repeats one that is in force.
    if (offered === undefined) return { ok: true, value: undefined };
    const answer = parseSdp(sdp);
    if (!answer.ok) return answer;
    const agreement = acceptAnswer(offered, answer.value, this.#agreement);
    if (!agreement.ok) return agreement;
    if (fork === undefined) this.#answered(agreement.value);
    else {
      this.#forks.set(fork, agreement.value);
      this.#serve(agreement.value, false);
    }
    return { ok: true, value: undefined };
  }

  /** This fork has answered the call: what it said early counts, unless its 2xx has said something else. */
  won(fork: string): void {
    const early = this.#forks.get(fork);
    if (early !== undefined && this.#offered !== undefined) this.#answered(early);
  }

  #answered(agreement: Agreement): void {
    this.#offered = undefined;
    this.#forks.clear();
    this.#settle(agreement);
  }

  /** Audio goes by a connection that only we are the other end of. */
  get isWebRtc(): boolean {
    return this.stream?.transport !== undefined;
  }

  /** Its description, settled or on its way, is one of WebRTC: what the peer finds later is taken, too. */
  get takesTrickle(): boolean {
    const described = this.#agreement ?? this.#proposed;
    return described === undefined ? this.#offersWebRtc : streamIn(described)?.transport !== undefined;
  }

  /** Addresses that the peer has found since its description; false: of no connection that there is. */
  trickled(fragment: IceFragment): boolean {
    return this.#web?.trickled(fragment) === true;
  }

  /** A WebRTC connection of this leg did not come about, or is over. */
  disconnected(id: WebRtcId, reason: string): void {
    if (this.#web?.uses(id) === true) this.#onBroken(`WebRTC: ${reason}`);
  }

  /** The peer's audio goes elsewhere: the leg rests until the next agreement. */
  rest(): void {
    this.#updates = this.#updates.then(() => this.#update(undefined));
    this.#dependencies.run(this.#updates);
  }

  /** A description of another party as our next one: its `o=` is ours, the rest is unchanged (RFC 3264 8). */
  asOurs(sdp: Uint8Array): Uint8Array {
    this.#stamp = Math.max(this.#stamp, FOREIGN_VERSION);
    return this.#stamped(Buffer.from(sdp).toString('latin1'));
  }

  #stamped(text: string): Uint8Array {
    if (this.#stamp === 0) return Buffer.from(text, 'latin1');
    const { username, sessionId, address } = this.#session.origin;
    const origin = `o=${username} ${sessionId} ${++this.#stamp} IN IP${address.family} ${address.host}`;
    return Buffer.from(text.replace(/^o=[^\r\n]*/m, origin), 'latin1');
  }

  #sessionPlan(web?: WebLegPlan): SessionPlan {
    const { policy, address } = this.#plan;
    const { codecs, codecLimit, preferredCodec, copies } = policy;
    const first: LegPlan = {
      address: { family: familyOf(address), host: address },
      port: this.#port,
      ...web,
      codecs: web === undefined ? codecs : codecs.filter((codec) => BROWSER_CODECS.includes(codec)),
      direction: this.#direction,
      comfortNoise: policy.profile === 'ordinary',
      ...(codecLimit !== undefined && { codecLimit }),
      ...(preferredCodec !== undefined && { preferredCodec }),
      ...(copies?.[0] !== undefined && { label: copies[0] }),
    };
    return { ...this.#session, legs: [first, ...(this.#extra?.plans(first, copies) ?? [])] };
  }

  #settle(agreement: Agreement): void {
    this.#proposed = undefined;
    this.#agreement = agreement;
    this.#serve(agreement);
  }

  #serve(agreement: Agreement, final = true): void {
    const stream = streamIn(agreement);
    if (!final && this.#web?.waits(stream?.transport)) return;
    const against = this.#web?.use(stream?.transport, final);
    if (against !== undefined) {
      this.#onBroken(against);
      return;
    }
    this.#follow(stream);
    this.#extra?.serve(agreement);
  }

  #follow(stream: Stream | undefined, leg = this.leg): void {
    this.#updates = this.#updates.then(() => this.#update(stream, leg));
    this.#dependencies.run(this.#updates);
  }

  async #update(stream: Stream | undefined, leg = this.leg): Promise<void> {
    if (this.#closed) return;
    if (stream === undefined) {
      await this.#dependencies.media.updateLeg(leg, null);
      return;
    }
    const remote = await this.#farEnd(stream);
    if (this.#closed) return;
    const updated = remote.ok
      ? await this.#dependencies.media.updateLeg(leg, legStreamOf(this.#plan, stream, remote.value))
      : remote;
    if (!updated.ok && !this.#closed) this.#onBroken(updated.error.reason);
  }

  /** Whom the media leg talks to: the peer, or our end of its WebRTC connection. */
  async #farEnd({ transport, remote }: Stream): Promise<Result<LegStream['remote']>> {
    if (transport !== undefined && this.#web !== undefined) {
      const bridge = await this.#web.begin();
      return bridge.ok ? ok({ ...bridge.value, rtcpPort: bridge.value.port }) : bridge;
    }
    const { host, family, port, rtcpPort } = remote;
    const numeric = isNumeric(host) ? host : await this.#dependencies.resolve(host, family);
    return numeric === undefined
      ? fail('Unreachable', `the address ${host} of the peer's audio is not known`)
      : ok({ host: numeric, port, rtcpPort });
  }
}

/** Above every version our own descriptions have reached before. */
const FOREIGN_VERSION = 1_000_000;

const streamIn = (agreement: Agreement | undefined): Stream | undefined =>
  agreement?.streams.find((stream) => stream?.leg === 0) ?? undefined;

/** RFC 7874: what every browser speaks; of ours it is all. */
const BROWSER_CODECS: readonly CodecName[] = ['PCMA', 'PCMU'];

async function asMedia(opening: ReturnType<WebPath['prepare']>): Promise<Result<undefined, MediaFault>> {
  const opened = await opening;
  return opened.ok ? opened : fail('Refused', `no WebRTC connection could be opened: ${opened.error.reason}`);
}

/** A direction as the peer says it, seen from us. */
const FROM_US: Readonly<Record<LegDirection, LegDirection>> = {
  sendrecv: 'sendrecv',
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
};
