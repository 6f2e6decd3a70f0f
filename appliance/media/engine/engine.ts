import { fail, ok, type Result } from '#shared/result.ts';
import type {
  ConferenceId,
  ConferenceSetting,
  DigitRelay,
  DigitSending,
  LegId,
  LegOpening,
  LegStatistics,
  LegStream,
  Listening,
  MediaFault,
  ParticipantSetting,
  PlayId,
  PlayPlan,
  PreparedPrompt,
  TapId,
  TapSetting,
} from '../control/index.ts';
import { DIGITS } from '../dtmf/index.ts';
import type { EngineCommands } from './command.ts';
import { Conference } from './conference.ts';
import { Lateness, latenessBucket } from './lateness.ts';
import { Leg } from './leg.ts';
import { faultOf, normalised } from './leg-stream.ts';
import { Overload } from './overload.ts';
import { areEvents } from './phrase.ts';
import { Player } from './player.ts';
import type { EngineSetting, LegPorts } from './port.ts';
import { DigitPassing } from './relay.ts';
import { Rota } from './rota.ts';
import { SLICES } from './schedule.ts';
import { statisticsOf } from './statistics.ts';
import { Tap } from './tap.ts';

type Done = Result<undefined, MediaFault>;
const DONE: Done = ok(undefined);

/**
 * The media engine of one worker.
 *
 * ```
 *   commands (between slices) ─┐
 *   datagrams > leg.rtp        ├──> legs, conferences, taps ──> PacketPort, events, rings
 *   slice(now), every 5 ms ────┘
 *
 *   slice 0    1    2    3 | 0 …      a tick is four slices; each leg and conference has its turn in one of them
 *     hear of its legs > sums of its conferences > speak of its legs > after slice 3: taps
 * ```
 * Nothing here waits, reads a clock or opens a socket. Commands take effect with the next slice.
 */
export class Engine implements EngineCommands {
  /** Of slices so far. */
  readonly lateness = new Lateness();
  skippedTicks = 0;

  readonly #setting: EngineSetting;
  readonly #legs = new Map<LegId, Leg>();
  readonly #rota: Rota;
  readonly #conferences = new Map<ConferenceId, Conference>();
  readonly #taps = new Map<TapId, Tap>();
  readonly #overload: Overload;
  #part = 0;
  #tick = -1;
  #nowMs: number;

  constructor(setting: EngineSetting) {
    this.#setting = setting;
    this.#nowMs = setting.startMs;
    this.#overload = new Overload(setting.tooLateMs);
    this.#rota = new Rota((leg, cause) => this.#failed(leg, cause));
  }

  /** Nothing to do in any slice: no leg, nobody who listens to silence, no lateness to recover from. */
  get idle(): boolean {
    return this.#legs.size === 0 && this.#taps.size === 0 && !this.#overload.on;
  }

  get legs(): number {
    return this.#legs.size;
  }

  get tick(): number {
    return this.#tick;
  }

  /** Frames lost because readers of taps were too slow. */
  get overruns(): number {
    let sum = 0;
    for (const { overruns } of this.#taps.values()) sum += overruns;
    return sum;
  }

  // Time

  /** The next of the four slices. @param latenessMs how late it begins */
  slice(nowMs: number, latenessMs = 0): void {
    this.#nowMs = nowMs;
    const part = this.#part;
    if (part === 0) this.#tick++;
    this.#note(nowMs, latenessMs);
    // Before anything can go wrong: the next slice is the next one.
    this.#part = (part + 1) % SLICES;
    this.#rota.hear(part, this.#tick, nowMs, latenessMs);
    for (const conference of this.#conferences.values()) if (conference.part === part) conference.mix();
    this.#rota.speak(part, nowMs);
    if (part === SLICES - 1) for (const tap of this.#taps.values()) tap.write(this.#legs, this.#tick);
  }

  /** A leg with a defect is gone; it must not take the calls of others with it. */
  #failed(leg: Leg, cause: unknown): void {
    this.#setting.defect(leg.id, cause);
    this.#legs.delete(leg.id);
    this.#rota.remove(leg);
    this.#separate(leg);
    this.#setting.emit({ kind: 'lost', worker: this.#setting.worker, legs: [leg.id], conferences: [] });
  }

  /** So many ticks are left out: the worker was too late to catch up. */
  leap(ticks: number): void {
    this.#tick += ticks;
    this.skippedTicks += ticks;
    for (const leg of this.#legs.values()) leg.leap(ticks);
  }

  #note(nowMs: number, latenessMs: number): void {
    this.lateness.add(latenessBucket(latenessMs), latenessMs);
    if (!this.#overload.slice(nowMs, latenessMs)) return;
    this.#setting.emit({ kind: 'overload', worker: this.#setting.worker, on: this.#overload.on });
  }

  // Datagrams

  /** A datagram on the RTP port of a leg. The bytes are the engine's from now on. */
  rtp(leg: Leg, bytes: Uint8Array, host: string, port: number, nowMs: number): void {
    try {
      leg.rtp(bytes, host, port, nowMs);
    } catch (cause) {
      this.#failed(leg, cause);
    }
  }

  /** One on its RTCP port. */
  rtcp(leg: Leg, bytes: Uint8Array, host: string, port: number, nowMs: number): void {
    try {
      leg.rtcpDatagram(bytes, host, port, nowMs);
    } catch (cause) {
      this.#failed(leg, cause);
    }
  }

  // Legs

  /** The sockets are open; datagrams go to the leg that is answered. */
  open(opening: LegOpening, ports: LegPorts): Result<Leg, MediaFault> {
    if (this.#legs.has(opening.leg)) return refused(`The leg ${opening.leg} is open already.`);
    const near = opening.near === undefined ? undefined : this.#partOf(opening.near);
    const leg = new Leg(opening, ports, this.#setting, near ?? this.#rota.emptiest);
    this.#legs.set(opening.leg, leg);
    this.#rota.add(leg);
    this.#observe([opening.leg]);
    return ok(leg);
  }

  #partOf(near: LegId | ConferenceId): number | undefined {
    return this.#conferences.get(near)?.part ?? this.#legs.get(near)?.wantedPart;
  }

  updateLeg(id: LegId, stream: LegStream | null): Done {
    const leg = this.#legs.get(id);
    if (leg === undefined) return unknown(id);
    const fault = stream === null ? null : faultOf(stream);
    if (fault !== null) return refused(fault);
    leg.update(stream && normalised(stream), this.#nowMs);
    this.#rewire(leg);
    return DONE;
  }

  closeLeg(id: LegId): Result<LegStatistics, MediaFault> {
    const leg = this.#legs.get(id);
    if (leg === undefined) return unknown(id);
    this.#separate(leg);
    leg.close(this.#nowMs);
    this.#legs.delete(id);
    this.#rota.remove(leg);
    return ok(statisticsOf(leg));
  }

  stats(id: LegId): Result<LegStatistics, MediaFault> {
    const leg = this.#legs.get(id);
    return leg === undefined ? unknown(id) : ok(statisticsOf(leg));
  }

  // Who hears whom

  connect(a: LegId, b: LegId, relay: { readonly aToB?: DigitRelay; readonly bToA?: DigitRelay } = {}): Done {
    const [one, other] = [this.#legs.get(a), this.#legs.get(b)];
    if (one === undefined || other === undefined) return unknown(one === undefined ? a : b);
    if (one === other) return refused('A leg cannot be connected with itself; echo does that.');
    this.#separate(one);
    this.#separate(other);
    one.partner = other;
    other.partner = one;
    other.wantedPart = one.wantedPart;
    pass(one, other, relay.aToB);
    pass(other, one, relay.bToA);
    this.#rewire(one);
    return DONE;
  }

  disconnect(id: LegId): Done {
    const leg = this.#legs.get(id);
    if (leg === undefined) return unknown(id);
    if (leg.partner !== null) this.#separate(leg);
    return DONE;
  }

  echo(id: LegId, on: boolean): Done {
    return this.#with(id, (leg) => {
      leg.echoing = on;
    });
  }

  /** Out of its connection or conference. */
  #separate(leg: Leg): void {
    const { partner, conference } = leg;
    if (partner !== null) {
      for (const one of [leg, partner]) {
        one.passing?.end();
        one.passing = null;
        one.digits.relay(null, false);
        one.partner = null;
      }
      this.#rewire(leg);
      this.#rewire(partner);
    }
    if (conference === null) return;
    conference.leave(leg.id);
    leg.conference = null;
    this.#observe([leg.id, ...conference.members]);
  }

  #rewire(leg: Leg): void {
    leg.rewire();
    leg.partner?.rewire();
  }

  // What is heard on it

  play(id: LegId, play: PlayId, plan: PlayPlan): Done {
    const leg = this.#legs.get(id);
    if (leg === undefined) return unknown(id);
    if (leg.plays.has(play)) return refused(`Something called ${play} plays on this leg already.`);
    leg.plays.play(play, plan);
    this.#rewire(leg);
    return DONE;
  }

  supply(id: LegId, play: PlayId, name: string, prompt: PreparedPrompt | null): Done {
    return this.#with(id, (leg) => leg.plays.supply(play, name, prompt));
  }

  stop(id: LegId, play: PlayId): Done {
    return this.#with(id, (leg) => leg.plays.stop(play));
  }

  sendDigits(id: LegId, play: PlayId, { digits, mode, onMs, offMs }: DigitSending): Done {
    const leg = this.#legs.get(id);
    if (leg === undefined) return unknown(id);
    if (leg.plays.has(play)) return refused(`Something called ${play} plays on this leg already.`);
    const wanted = digits.toUpperCase();
    const wrong = [...wanted].find((digit) => !DIGITS.includes(digit));
    if (wrong !== undefined) return refused(`"${wrong}" is no digit; 0 to 9, A to D, * and # are.`);
    if (mode === 'rfc4733' && !areEvents(wanted, leg.eventDigits)) {
      return refused('The peer takes no telephone-events for these digits; send them in band.');
    }
    const outlet = { events: leg.events, eventDigits: () => leg.eventDigits };
    const phrases = [{ kind: 'digits', digits: wanted, onMs, offMs } as const];
    leg.plays.sendDigits(play, new Player({ phrases, over: 'instead' }, outlet, mode));
    this.#rewire(leg);
    return DONE;
  }

  // What is heard of it

  listen(id: LegId, listening: Listening | null): Done {
    return this.#with(id, (leg) => leg.digits.listen(listening));
  }

  watchSilence(id: LegId, forMs: number | null): Done {
    return this.#with(id, (leg) => leg.watch.watchSilence(forMs));
  }

  #with(id: LegId, change: (leg: Leg) => void): Done {
    const leg = this.#legs.get(id);
    if (leg === undefined) return unknown(id);
    change(leg);
    this.#rewire(leg);
    return DONE;
  }

  // Conferences

  createConference(setting: ConferenceSetting): Done {
    const id = setting.conference;
    if (this.#conferences.has(id)) return refused(`The conference ${id} exists already.`);
    this.#conferences.set(id, new Conference(setting, this.#rota.emptiest));
    return DONE;
  }

  join(id: ConferenceId, legId: LegId, participant: ParticipantSetting): Done {
    const [conference, leg] = [this.#conferences.get(id), this.#legs.get(legId)];
    if (conference === undefined || leg === undefined) return unknown(conference ? legId : id);
    if (leg.conference === conference) return this.change(id, legId, participant);
    if (!conference.hasRoom(participant)) return refused(`The conference ${id} is full.`);
    this.#separate(leg);
    conference.join(leg, participant);
    leg.conference = conference;
    leg.wantedPart = conference.part;
    this.#observe(conference.members);
    return DONE;
  }

  change(id: ConferenceId, legId: LegId, participant: ParticipantSetting): Done {
    const [conference, leg] = [this.#conferences.get(id), this.#legs.get(legId)];
    if (conference === undefined || leg?.conference !== conference) return unknown(conference ? legId : id);
    conference.change(legId, participant);
    this.#observe(conference.members);
    return DONE;
  }

  leave(id: ConferenceId, legId: LegId): Done {
    const leg = this.#legs.get(legId);
    if (leg === undefined || leg.conference !== this.#conferences.get(id)) return unknown(legId);
    this.#separate(leg);
    return DONE;
  }

  endConference(id: ConferenceId): Done {
    const conference = this.#conferences.get(id);
    if (conference === undefined) return unknown(id);
    for (const member of [...conference.members]) {
      const leg = this.#legs.get(member);
      if (leg !== undefined) this.#separate(leg);
    }
    this.#conferences.delete(id);
    return DONE;
  }

  // Taps

  tap(id: TapId, setting: TapSetting): Done {
    if (this.#taps.has(id)) return refused(`The tap ${id} exists already.`);
    const tap = new Tap(setting);
    this.#taps.set(id, tap);
    this.#observe(tap.legs);
    return DONE;
  }

  pauseTap(id: TapId, paused: boolean): Done {
    const tap = this.#taps.get(id);
    if (tap === undefined) return unknown(id);
    tap.paused = paused;
    return DONE;
  }

  untap(id: TapId): Done {
    const tap = this.#taps.get(id);
    if (tap === undefined) return unknown(id);
    this.#taps.delete(id);
    this.#observe(tap.legs);
    return DONE;
  }

  /** Who is tapped, who monitors, and whose prompts are wanted beside what it says. */
  #observe(ids: Iterable<LegId>): void {
    const taps = [...this.#taps.values()];
    for (const id of ids) {
      const leg = this.#legs.get(id);
      if (leg === undefined) continue;
      leg.tapped = taps.some((tap) => tap.hears(leg.id));
      leg.monitors = leg.conference?.isMonitor(leg.id) ?? false;
      leg.observed = leg.conference?.monitored ?? false;
      this.#rewire(leg);
    }
  }
}

/** Digits of one leg go to the other. */
function pass(from: Leg, to: Leg, relay: DigitRelay = { as: 'transparent' }): void {
  const passing = new DigitPassing(relay.as, to);
  from.passing = passing;
  from.digits.relay((edge) => passing.edge(edge), passing.takesTones);
}

const refused = (reason: string) => fail('Refused', reason);
const unknown = (id: string) => fail('Unknown', `There is nothing called ${id} here.`);
