import { fail, ok, type Result } from '#shared/result.ts';
import type { RingMemory } from '../audio/index.ts';
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
import type { EngineCommands } from './command.ts';
import { digitPlayer } from './leg/digit-sending.ts';
import { Leg } from './leg/leg.ts';
import { faultOf, normalised } from './leg/leg-stream.ts';
import { Links } from './links.ts';
import { Lateness, latenessBucket } from './load/lateness.ts';
import { LoadWatch } from './load/load-watch.ts';
import { Conference } from './mix/conference.ts';
import { Taps } from './mix/taps.ts';
import type { LinkCommands, LinkEnd, LinkId } from './packet/link.ts';
import type { EngineSetting, LegPorts } from './packet/port.ts';
import { SLICES } from './schedule.ts';
import { SliceTable } from './slice-table.ts';
import { finalStatisticsOf, statisticsOf } from './statistics.ts';

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
export class Engine implements EngineCommands, LinkCommands {
  /** The lateness of the slices so far. */
  readonly lateness = new Lateness();
  skippedTicks = 0;
  readonly load: LoadWatch;

  readonly #setting: EngineSetting;
  readonly #legs = new Map<LegId, Leg>();
  readonly #slices: SliceTable;
  readonly #conferences = new Map<ConferenceId, Conference>();
  readonly #taps = new Taps();
  readonly #links = new Links();
  #part = 0;
  #tick = -1;
  #nowMs: number;

  constructor(setting: EngineSetting) {
    this.#setting = setting;
    this.#nowMs = setting.startMs;
    this.load = new LoadWatch(setting);
    this.#slices = new SliceTable((leg, cause) => this.#failed(leg, cause));
  }

  /** Nothing to do in any slice: no leg, no listener to silence. */
  get empty(): boolean {
    return this.#legs.size + this.#taps.size + this.#links.size === 0;
  }

  /** Empty, and nothing to recover from. */
  get idle(): boolean {
    const { late, overloaded } = this.load;
    return this.empty && !late && !overloaded;
  }

  get legs(): number {
    return this.#legs.size;
  }

  /** Frames lost because readers of rings were too slow. */
  get overruns(): number {
    return this.#taps.overruns + this.#links.lost;
  }

  // Time

  /** The next slice is the first of this tick. Only while it is idle: ticks of all workers are of one clock. */
  begin(tick: number): void {
    this.#tick = tick - 1;
    this.#part = 0;
  }

  /** The next of the four slices. @param latenessMs how late it begins */
  slice(nowMs: number, latenessMs = 0): void {
    this.#nowMs = nowMs;
    const part = this.#part;
    if (part === 0) this.#tick++;
    this.lateness.add(latenessBucket(latenessMs), latenessMs);
    this.load.slice(nowMs, latenessMs);
    // Before anything can go wrong: the next slice is the next one.
    this.#part = (part + 1) % SLICES;
    this.#slices.hear(part, this.#tick, nowMs, latenessMs);
    this.#links.hear(part);
    for (const conference of this.#conferences.values()) if (conference.part === part) conference.mix();
    this.#slices.speak(part, nowMs);
    this.#links.speak(part);
    if (part === SLICES - 1) this.#taps.write(this.#legs, this.#tick);
  }

  /** A leg with a defect is removed; it must not take the calls of others with it. */
  #failed(leg: Leg, cause: unknown): void {
    this.#setting.defect(leg.id, cause);
    this.#legs.delete(leg.id);
    this.#slices.remove(leg);
    this.#separate(leg);
    this.#setting.emit({ kind: 'lost', worker: this.#setting.worker, legs: [leg.id], conferences: [] });
  }

  /** So many ticks are left out: the worker was too late to catch up. */
  leap(ticks: number): void {
    this.#tick += ticks;
    this.skippedTicks += ticks;
    this.#slices.leap(ticks);
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
    const near = opening.near ?? '';
    const part = this.#conferences.get(near)?.part ?? this.#legs.get(near)?.wantedPart;
    const leg = new Leg(opening, ports, this.#setting, part ?? this.#slices.emptiest);
    this.#legs.set(opening.leg, leg);
    this.#slices.add(leg);
    this.#observe([opening.leg]);
    return ok(leg);
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
    this.#slices.remove(leg);
    return ok(finalStatisticsOf(leg));
  }

  stats(id: LegId): Result<LegStatistics, MediaFault> {
    const leg = this.#legs.get(id);
    return leg === undefined ? unknown(id) : ok(statisticsOf(leg));
  }

  // Connections between legs

  connect(a: LegId, b: LegId, relay: { readonly aToB?: DigitRelay; readonly bToA?: DigitRelay } = {}): Done {
    const [one, other] = [this.#legs.get(a), this.#legs.get(b)];
    if (one === undefined || other === undefined) return unknown(one === undefined ? a : b);
    if (one === other) return refused('A leg cannot be connected with itself; echo does that.');
    this.#separate(one);
    this.#separate(other);
    one.pair(other, relay.aToB);
    other.pair(one, relay.bToA);
    other.wantedPart = one.wantedPart;
    this.#rewire(one);
    return DONE;
  }

  disconnect(id: LegId): Done {
    const leg = this.#legs.get(id);
    if (leg === undefined) return unknown(id);
    if (leg.partner !== null || leg.far !== null) this.#separate(leg);
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
      for (const one of [leg, partner]) one.unpair();
      this.#rewire(leg);
      this.#rewire(partner);
    }
    this.#links.leave(leg);
    if (conference === null) return;
    conference.leave(leg.id);
    leg.conference = null;
    this.#observe([leg.id, ...conference.members]);
  }

  #rewire(leg: Leg): void {
    leg.rewire();
    leg.partner?.rewire();
  }

  // Audio towards the peer

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

  sendDigits(id: LegId, play: PlayId, sending: DigitSending): Done {
    const leg = this.#legs.get(id);
    if (leg === undefined) return unknown(id);
    if (leg.plays.has(play)) return refused(`Something called ${play} plays on this leg already.`);
    const player = digitPlayer(leg, sending);
    if (!player.ok) return player;
    leg.plays.sendDigits(play, player.value);
    this.#rewire(leg);
    return DONE;
  }

  // Audio of the peer

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
    this.#conferences.set(id, new Conference(setting, this.#slices.emptiest));
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
    const conference = this.#conferences.get(id);
    if (conference === undefined || !conference.has(legId)) return unknown(conference ? legId : id);
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
    this.#links.endConference(id);
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
    this.#observe(this.#taps.begin(id, setting));
    return DONE;
  }

  pauseTap(id: TapId, paused: boolean): Done {
    return this.#taps.pause(id, paused) ? DONE : unknown(id);
  }

  untap(id: TapId): Done {
    const legs = this.#taps.end(id);
    if (legs === undefined) return unknown(id);
    this.#observe(legs);
    return DONE;
  }

  // Other workers

  link(id: LegId, end: LinkEnd): Done {
    const leg = this.#legs.get(id);
    if (leg === undefined) return unknown(id);
    this.#separate(leg);
    this.#links.join(leg, end);
    this.#observe([id]);
    return DONE;
  }

  admit(id: ConferenceId, leg: LegId, end: LinkEnd, participant: ParticipantSetting): Done {
    const conference = this.#conferences.get(id);
    if (conference === undefined) return unknown(id);
    const admitted = this.#links.admit(leg, conference, end, participant);
    this.#observe(conference.members);
    return admitted;
  }

  unlink(id: LinkId): Done {
    const { leg, conference } = this.#links.end(id);
    if (leg !== undefined) this.#observe([leg.id]);
    if (conference !== undefined) this.#observe(conference.members);
    return DONE;
  }

  feed(id: TapId, leg: LegId, ring: RingMemory): Done {
    return this.#taps.feed(id, leg, ring) ? DONE : unknown(id);
  }

  /** Notes the legs that are tapped, the monitors, and the legs whose prompts are wanted besides their own audio. */
  #observe(ids: Iterable<LegId>): void {
    for (const id of ids) {
      const leg = this.#legs.get(id);
      if (leg === undefined) continue;
      leg.tapped = this.#taps.hear(leg.id);
      leg.receive.arrivals = this.#taps.arrivalsOf(leg.id);
      leg.monitors = leg.conference?.isMonitor(leg.id) ?? false;
      leg.observed = (leg.far?.wantsPrompts || leg.conference?.monitored) ?? false;
      this.#rewire(leg);
    }
  }
}

const refused = (reason: string) => fail('Refused', reason);
const unknown = (id: string) => fail('Unknown', `There is nothing called ${id} here.`);
