import { FRAME_MS, FRAME_SAMPLES, levelOf } from '../../audio/index.ts';
import type { DigitRelay, LegId, LegOpening, LegProfile, LegStream, OpenLeg } from '../../control/index.ts';
import { HeldTone } from '../../dtmf/index.ts';
import { isRtcp } from '../../rtp/index.ts';
import { Lateness } from '../load/lateness.ts';
import type { Conference, Member } from '../mix/conference.ts';
import { type Forwarding, forwardingOf, NOT_FORWARDED, recode } from '../packet/forward.ts';
import { LevelSample } from '../packet/level-sample.ts';
import { EVENT, NOISE, NOTHING } from '../packet/payload.ts';
import type { EngineSetting, LegPorts } from '../packet/port.ts';
import { DigitPassing } from '../packet/relay.ts';
import type { FarPartner } from './far.ts';
import { LegDigits } from './leg-digits.ts';
import { LegPlays } from './leg-plays.ts';
import { LegReceive } from './leg-receive.ts';
import { LegRtcp } from './leg-rtcp.ts';
import { LegSend } from './leg-send.ts';
import { latchRuleOf } from './leg-stream.ts';
import { LegWatch } from './leg-watch.ts';
import { LegWindows } from './leg-windows.ts';

/**
 * Chosen: one or two packets of another length than the partner asks for pass as they are; a third ends the fast path, and our own
 * packets follow.
 */
const MOST_ODD_LENGTHS = 3;
/** Chosen: audio that passes without being decoded counts as speech of this level where its echo matters, dBm0. */
const PASSED_DBM0 = -15;

/**
 * One RTP endpoint: its parts, and the two steps of its tick.
 *
 * ```
 *   datagram > rtp() ──fast path──────────────────────────────> other leg
 *                └> receive (jitter buffer)
 *   tick   1 hear()   receive > frame > digits, watch
 *          2          conferences make their sums
 *          3 speak()  events | relayed digit | echo, conference or partner, under what plays > send
 * ```
 */
export class Leg implements Member {
  readonly id: LegId;
  readonly profile: LegProfile;
  readonly receive: LegReceive;
  readonly send: LegSend;
  readonly rtcp: LegRtcp;
  readonly digits: LegDigits;
  readonly plays: LegPlays;
  readonly watch: LegWatch;
  readonly windows: LegWindows;
  readonly held = new HeldTone();
  readonly lateness = new Lateness();
  readonly sentLevel = new LevelSample();

  /** The slice it is worked in, and the one it moves to after its next turn. */
  part: number;
  wantedPart: number;
  stream: LegStream | null = null;
  partner: Leg | null = null;
  /** Instead of a partner: one on another worker. */
  far: FarPartner | null = null;
  /** How its digits reach the partner. */
  passing: DigitPassing | null = null;
  conference: Conference | null = null;
  echoing = false;
  tapped = false;
  /** Hears a conference without being part of it. */
  monitors = false;
  /** It had this tick in another slice. */
  waits = false;
  /** A listener wants to hear the audio that is played to it. */
  observed = false;

  readonly #setting: EngineSetting;
  readonly #toneFrame = new Int16Array(FRAME_SAMPLES);
  #forwarding: Forwarding | null = null;
  /** Packets in a row of another length than the partner asks for; from `MOST_ODD_LENGTHS` on nothing is forwarded. */
  #oddLengths = 0;
  /** Its own clock: tick and time of its first turn. */
  #zeroTick = -1;
  #zeroMs = 0;
  #tick = -1;
  #wasBusy = false;

  constructor({ leg, profile }: LegOpening, ports: LegPorts, setting: EngineSetting, part: number) {
    const random = setting.random(32);
    const emit = setting.emit;
    this.id = leg;
    this.profile = profile;
    this.part = part;
    this.wantedPart = part;
    this.#setting = setting;
    this.receive = new LegReceive(profile, random[31] ?? 1);
    this.send = new LegSend(ports.rtp, this.receive.latch, profile, random.subarray(0, 12));
    this.rtcp = new LegRtcp(ports, this.receive, this.send, setting.wallOffsetMs, random.subarray(12, 28));
    this.digits = new LegDigits(leg, profile, emit);
    this.plays = new LegPlays(leg, { events: this.send.events, eventDigits: () => this.eventDigits }, emit);
    this.watch = new LegWatch(leg, this.receive, this.rtcp, emit);
    this.windows = new LegWindows(leg, this, emit);
  }

  /** Name of what it sends (RFC 3550, 6.5.1). */
  get source(): OpenLeg['source'] {
    return { ssrc: this.send.ssrc, cname: this.rtcp.cname };
  }

  get frame(): Int16Array {
    return this.receive.frame;
  }

  get speaking(): boolean {
    return this.receive.speaking;
  }

  get prompt(): Int16Array {
    return this.plays.prompt;
  }

  get prompting(): boolean {
    return this.plays.prompting;
  }

  get events(): LegSend['events'] {
    return this.send.events;
  }

  /** Digits that may go to the peer as events now. */
  get eventDigits(): string {
    return this.send.open ? (this.stream?.telephoneEvent?.digits ?? '') : '';
  }

  /** The result of an offer and its answer; null: none. `stream` was found to be in order. */
  update(stream: LegStream | null, nowMs: number): void {
    const crypto = this.#setting.crypto;
    this.stream = stream;
    this.#oddLengths = 0;
    if (this.partner !== null) this.partner.#oddLengths = 0;
    const { latch, srtp } = this.receive;
    if (stream === null) latch.describe('', 0);
    else latch.describe(stream.remote.host, stream.remote.port, latchRuleOf(stream));
    const keyed = stream?.srtp && { suite: stream.srtp.suite, key: stream.srtp.receiveKey };
    srtp.update(keyed ?? null, crypto);
    this.receive.update(stream);
    this.send.update(stream, crypto);
    this.rtcp.update(stream, nowMs);
    this.digits.negotiate(stream?.telephoneEvent !== undefined);
    this.watch.update(stream, nowMs);
  }

  /** From now on it hears this one, and its digits go there. */
  pair(other: Leg, { as }: DigitRelay = { as: 'transparent' }): void {
    const passing = new DigitPassing(as, other);
    this.partner = other;
    this.#oddLengths = 0;
    this.passing = passing;
    this.digits.relay((edge) => passing.edge(edge), passing.takesTones);
  }

  unpair(): void {
    this.passing?.end();
    this.passing = null;
    this.digits.relay(null, false);
    this.partner = null;
  }

  /** Chooses between fast path and slices; to be called when anything changed for it or its partner. */
  rewire(): void {
    const to = this.partner;
    const converts = this.digits.active || this.passing?.changesEvents === true;
    // Audio that plays to our own peer does not touch the audio it sends: the other direction goes on as it was.
    const simple =
      to !== null && this.#saysPlainly() && to.#hearsPlainly() && !converts && this.#hasFitLengths();
    const forwarding = simple ? forwardingOf(this.stream, to.stream) : null;
    if ((forwarding === null) !== (this.#forwarding === null)) {
      this.receive.restart();
      this.digits.stop();
    }
    this.#forwarding = forwarding;
  }

  /** No other taker uses its audio. */
  #saysPlainly(): boolean {
    return !this.tapped && !this.echoing && !this.watch.watchesSilence;
  }

  #hasFitLengths(): boolean {
    return this.#oddLengths < MOST_ODD_LENGTHS;
  }

  /** No other source adds to the audio it hears. */
  #hearsPlainly(): boolean {
    return !this.#isBusy() && !this.echoing;
  }

  #isBusy(): boolean {
    return !this.plays.idle || !this.held.idle || !this.events.idle;
  }

  get forwards(): boolean {
    return this.#forwarding !== null;
  }

  /** A datagram on the RTP port. */
  rtp(bytes: Uint8Array, host: string, port: number, nowMs: number): void {
    if (isRtcp(bytes, bytes.length)) {
      this.rtcp.packet(bytes, host, port, true, nowMs);
      return;
    }
    const forwarding = this.#forwarding;
    const kind = this.receive.packet(bytes, host, port, nowMs, forwarding === null);
    if (kind === NOTHING) return;
    const record = this.receive.record;
    if (forwarding !== null && this.partner !== null) {
      const { payloadType, payloadOffset, payloadLength } = record;
      const type = forwarding.types[payloadType] ?? NOT_FORWARDED;
      if (type === NOT_FORWARDED) return;
      const isVoice = kind !== EVENT && kind !== NOISE;
      if (isVoice) {
        if (!this.#isFit(forwarding, payloadLength)) {
          this.rewire();
          this.receive.keep(kind, bytes);
          return;
        }
        if (forwarding.table !== null) recode(bytes, payloadOffset, payloadLength, forwarding.table);
      }
      const lengthMs = isVoice ? (payloadLength * FRAME_MS) / forwarding.frameBytes : 0;
      this.partner.forward(record, bytes, type, lengthMs, nowMs);
    } else if (kind === EVENT) this.digits.packet(record, bytes, this.#eventMs(nowMs));
  }

  /** May a packet of this length go on as it is? Where it may not, nothing is forwarded until the next description. */
  #isFit({ mostBytes, askedBytes }: Forwarding, length: number): boolean {
    if (length > mostBytes) this.#oddLengths = MOST_ODD_LENGTHS;
    else if (askedBytes === 0 || length === askedBytes) this.#oddLengths = 0;
    else this.#oddLengths++;
    return this.#hasFitLengths();
  }

  /** Sends a packet of its partner on. */
  forward(
    record: LegReceive['record'],
    bytes: Uint8Array,
    payloadType: number,
    lengthMs: number,
    nowMs: number,
  ): void {
    this.send.forward(record, bytes, payloadType, lengthMs, Math.max(0, this.#tick), nowMs);
  }

  /** A datagram on the RTCP port. */
  rtcpDatagram(bytes: Uint8Array, host: string, port: number, nowMs: number): void {
    this.rtcp.packet(bytes, host, port, false, nowMs);
  }

  /** When the audio sent together with an event that came now would be played. */
  #eventMs(nowMs: number): number {
    return nowMs - this.#zeroMs + this.receive.jitter.wantedMs + Math.max(FRAME_MS, this.receive.packetMs);
  }

  /** First step of a tick; false when it had this tick already, before it changed slices. */
  hear(tick: number, nowMs: number): boolean {
    if (this.#zeroTick < 0) {
      this.#zeroTick = tick;
      this.#zeroMs = nowMs;
    }
    const own = tick - this.#zeroTick;
    if (own === this.#tick) return false;
    this.#tick = own;
    if (this.#forwarding === null) {
      this.receive.playout(own);
      this.digits.tick(this.receive, own, this.#eventMs(nowMs));
    }
    this.far?.pull();
    this.watch.tick(nowMs);
    this.windows.tick(own);
    if (this.#wasBusy !== this.#isBusy()) this.#settled();
    return true;
  }

  /** It had its turn so late. */
  worked(bucket: number, latenessMs: number): void {
    this.lateness.add(bucket, latenessMs);
    this.windows.worked(latenessMs);
  }

  /** A prompt is over, or began: the fast path may be possible again. */
  #settled(): void {
    this.#wasBusy = !this.#wasBusy;
    this.rewire();
    this.partner?.rewire();
  }

  /**
   * Time leapt: the audio of that time is left out. The detectors still listen to a device that says its alarm in tones: a
   * digit that is left out costs the whole string.
   */
  leap(ticks: number): void {
    const hears = this.digits.hearsAlarm && this.#forwarding === null && this.#zeroTick >= 0;
    for (let i = 0; i < ticks && this.receive.jitter.depth > 0; i++) {
      if (!hears) {
        this.receive.jitter.skip();
        continue;
      }
      const own = ++this.#tick;
      this.receive.playout(own);
      this.digits.tick(this.receive, own, this.#eventMs(this.#zeroMs + own * FRAME_MS));
    }
  }

  /** Last step of a tick. */
  speak(nowMs: number): void {
    this.#speak(nowMs);
    this.far?.push();
  }

  #speak(nowMs: number): void {
    const tick = this.#tick;
    this.plays.prompting = false;
    this.rtcp.tick(tick, nowMs);
    if (this.partner?.forwards === true && this.send.suppliedByForwarding(nowMs)) {
      this.digits.sent(PASSED_DBM0);
      return;
    }
    const event = this.send.tickEvents(tick);
    if (event === 'event') return;
    const frame = event === 'pause' ? null : this.#program();
    if (frame === undefined) return;
    if (frame !== null) {
      this.sentLevel.push(frame, tick);
      if (this.digits.wantsSent) this.digits.sent(levelOf(frame));
    }
    this.send.audio(frame, tick);
  }

  /** The frame for the peer in this tick; null: silence; undefined: it was sent already. */
  #program(): Int16Array | null | undefined {
    if (!this.held.idle) {
      this.held.pull(this.#toneFrame);
      return this.#toneFrame;
    }
    if (this.plays.idle) return this.#others();
    if (!this.tapped && !this.observed && this.plays.ready(this.send.kind)) {
      this.send.ready(this.plays.readyBytes, this.plays.readyAt, this.#tick);
      this.digits.sent(PASSED_DBM0);
      return undefined;
    }
    return this.plays.pull(this.#others());
  }

  #others(): Int16Array | null {
    if (this.echoing) return this.speaking ? this.frame : null;
    if (this.conference !== null)
      return this.conference.part === this.part ? this.conference.hear(this.id) : null;
    if (this.far !== null) return this.far.speaking ? this.far.frame : null;
    const partner = this.partner;
    if (partner === null || !partner.speaking) return null;
    return partner.passing?.takesTones === true && partner.digits.sounding ? null : partner.frame;
  }

  close(nowMs: number): void {
    this.digits.stop();
    this.rtcp.bye(Math.max(0, this.#tick), nowMs);
  }
}
