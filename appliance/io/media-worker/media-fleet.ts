import { fail, ok, type Result } from '#shared/result.ts';
import type {
  ConferenceId,
  ConferenceSetting,
  FreeLegs,
  LegId,
  LegOpening,
  MediaEvent,
  MediaFault,
  OpenLeg,
  ParticipantSetting,
} from '../../media/control/index.ts';
import type { EngineCommand } from '../../media/engine/index.ts';
import { PortPool, REST_MS } from '../rtp-socket/index.ts';
import type { Log } from '../system/index.ts';
import { FleetTaps } from './fleet-tap.ts';
import { MediaThread } from './media-thread.ts';
import type { CommandResult, WorkerLoad } from './message.ts';
import { freeLegs, isUrgent, type LegLimits, placeLeg } from './placement.ts';
import { lost, Slot } from './slot.ts';
import { type Placed, WorkerChannels } from './worker-channel.ts';

/** So many ports in a row that other programs have are passed over before we give up. */
const PORT_TRIES = 16;
/** A worker that died is started again after this: never in a tight circle. */
const RESTART_MS = 200;

const LOAD_LOG = {
  late: {
    begins: {
      level: 'warn',
      event: 'media_worker.late',
      message: 'A media worker was late; it still took calls',
      kind: 'mediaWorkerLate',
    },
    ends: {
      level: 'info',
      event: 'media_worker.in_time',
      message: 'A media worker was in time again',
      kind: 'mediaWorkerInTime',
    },
  },
  overload: {
    begins: {
      level: 'warn',
      event: 'media_worker.overloaded',
      message: 'A media worker refused new ordinary legs: its own calls took the whole processor',
      kind: 'mediaWorkerOverloaded',
    },
    ends: {
      level: 'info',
      event: 'media_worker.relieved',
      message: 'A media worker took new legs again',
      kind: 'mediaWorkerRelieved',
    },
  },
} as const;

interface FleetSetting {
  readonly ports: { readonly from: number; readonly to: number };
  readonly workers: number;
  readonly host4: string;
  readonly host6: string;
  readonly warmUpMs: number;
  readonly tooLateMs: number | undefined;
  readonly saturatedShare: number | undefined;
  readonly limits: LegLimits;
  readonly log: Log;
}

interface OwnedLeg {
  readonly slot: Slot;
  /** While it is being opened; commands for it wait. */
  opening: Promise<unknown> | null;
  port: number;
}

/** A conference is made on the worker of its first leg. */
interface OwnedConference {
  readonly setting: ConferenceSetting;
  slot: Slot | null;
}

/**
 * The workers together: knows which of them has what and sends every command there.
 *
 * ```
 *   leg         near something: its worker; else the one with the fewest legs, if it has room (`placement`)
 *   conference  the worker of its first leg; legs of other workers take part over rings (`WorkerChannels`)
 *   tap         each channel where its legs are (`FleetTaps`)
 *   a worker dies > `lost` with its legs and conferences > their ports rest > a new one is started and warmed up
 * ```
 * Commands for one leg arrive in the order in which they were given, also before its opening is answered.
 */
export class MediaFleet {
  readonly #setting: FleetSetting;
  readonly #emit: (event: MediaEvent) => void;
  readonly #pool: PortPool;
  readonly #slots: readonly Slot[];
  readonly #legs = new Map<LegId, OwnedLeg>();
  readonly #conferences = new Map<ConferenceId, OwnedConference>();
  readonly #channels = new WorkerChannels();
  readonly #taps = new FleetTaps((leg) => this.#legs.get(leg)?.slot);
  readonly #epochNs = process.hrtime.bigint();
  readonly #restarts = new Map<number, NodeJS.Timeout>();
  #closed = false;

  constructor(setting: FleetSetting, emit: (event: MediaEvent) => void) {
    this.#setting = setting;
    this.#emit = emit;
    this.#pool = new PortPool(setting.ports);
    this.#slots = Array.from({ length: setting.workers }, (_, worker) => new Slot(worker));
  }

  async start(): Promise<void> {
    await Promise.all(this.#slots.map((slot) => this.#startThread(slot)));
  }

  async load(): Promise<readonly (WorkerLoad | undefined)[]> {
    return Promise.all(this.#slots.map(({ thread, ready }) => (ready ? thread?.load() : undefined)));
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#restarts.values()) clearTimeout(timer);
    await Promise.all(this.#slots.map(({ thread }) => thread?.end()));
  }

  async crash(worker: number): Promise<void> {
    await this.#slots[worker]?.thread?.crash();
  }

  // Threads

  #startThread(slot: Slot): Promise<void> {
    const { host4, host6, warmUpMs, tooLateMs, saturatedShare, limits, log } = this.#setting;
    const load = { tooLateMs, saturatedShare, sureLegs: limits.sure };
    return new Promise((resolve) => {
      slot.thread = new MediaThread(
        { worker: slot.worker, host4, host6, warmUpMs, ...load, epochNs: this.#epochNs },
        {
          event: (event) => this.#takeEvent(slot, event),
          ready: (slowSockets) => {
            if (slowSockets !== undefined)
              log(
                'info',
                'media_socket.fallback_used',
                'Used the sockets of Node for audio, at three times the cost',
                { reason: slowSockets },
              );
            resolve();
          },
          defect: (leg, reason) =>
            log('error', 'media_leg.defect_caught', 'Caught a defect in the audio of a leg', { leg, reason }),
          died: (reason) => {
            const { worker } = slot;
            if (!this.#closed)
              log('error', 'media_worker.died', 'A media worker ended and its calls lost their audio', {
                worker,
                reason,
              });
            this.#lose(slot);
            resolve();
          },
        },
      );
    });
  }

  #takeEvent(slot: Slot, event: MediaEvent): void {
    if (event.kind === 'lost') {
      for (const leg of event.legs) this.#forget(leg);
      slot.legs -= event.legs.length;
      void this.#channels.cut(...event.legs);
    }
    if (event.kind === 'overload' || event.kind === 'late') this.#note(slot, event);
    this.#emit(event);
  }

  /** `event` and `kind` stay the same whatever the message says: monitoring looks for them. */
  #note(slot: Slot, { kind, on }: Extract<MediaEvent, { kind: 'late' | 'overload' }>): void {
    if (kind === 'late') slot.late = on;
    else slot.overloaded = on;
    const { level, event, message, kind: was } = LOAD_LOG[kind][on ? 'begins' : 'ends'];
    const { worker, legs } = slot;
    this.#setting.log(level, event, message, { kind: was, worker, legs, freeLegs: this.freeLegs() });
  }

  #lose(slot: Slot): void {
    slot.thread = null;
    slot.late = false;
    slot.overloaded = false;
    slot.legs = 0;
    const legs = [...this.#legs].filter(([, owned]) => owned.slot === slot).map(([leg]) => leg);
    const conferences = [...this.#conferences].filter(([, one]) => one.slot === slot).map(([id]) => id);
    for (const leg of legs) this.#forget(leg);
    for (const id of conferences) this.#conferences.delete(id);
    this.#taps.lose(slot);
    if (this.#closed) return;
    this.#channels.lose(slot);
    this.#emit({ kind: 'lost', worker: slot.worker, legs, conferences });
    const timer = setTimeout(() => {
      this.#restarts.delete(slot.worker);
      void this.#startThread(slot);
    }, RESTART_MS);
    this.#restarts.set(slot.worker, timer);
  }

  // Legs

  async open(opening: LegOpening): Promise<Result<OpenLeg, MediaFault>> {
    const { leg, near } = opening;
    if (this.#legs.has(leg)) return fail('Refused', `The leg ${leg} is open already.`);
    const conference = near === undefined ? undefined : this.#conferences.get(near);
    const nearSlot = conference?.slot ?? (near === undefined ? undefined : this.#legs.get(near)?.slot);
    const placed = placeLeg(this.#slots, opening, nearSlot, this.#setting.limits);
    if (!placed.ok) return this.#noRoom(placed.error);
    const slot = placed.value;
    if (conference !== undefined) conference.slot ??= this.#found(conference.setting, slot);
    const owned: OwnedLeg = { slot, opening: null, port: 0 };
    this.#legs.set(leg, owned);
    slot.legs++;
    const opened = this.#openAt(slot, opening, owned);
    owned.opening = opened;
    const answer = await opened;
    owned.opening = null;
    if (!answer.ok && this.#legs.get(leg) === owned) {
      this.#forget(leg);
      slot.legs--;
    }
    return answer;
  }

  /** Tries ports until one is free: another program may have some of our range. */
  async #openAt(slot: Slot, opening: LegOpening, owned: OwnedLeg): Promise<Result<OpenLeg, MediaFault>> {
    for (let attempt = 0; attempt < PORT_TRIES; attempt++) {
      const port = this.#pool.take(performance.now(), !isUrgent(opening));
      if (port === undefined) break;
      owned.port = port;
      const answer = await slot.thread?.open(opening, port);
      if (answer === undefined) return lost();
      if (answer.ok) return answer;
      const { code, reason } = answer.error;
      if (code !== 'PortTaken') return fail(code, reason);
      this.#setting.log('debug', 'media_port.in_use', 'Skipped a media port that another program uses', {
        port,
      });
      this.#pool.release(port, performance.now());
    }
    owned.port = 0;
    const { from, to } = this.#setting.ports;
    const { error } = fail(
      'NoPort',
      `All media ports from ${from} to ${to} are in use; widen CARILLON_RTP_PORTS.`,
    );
    return this.#noRoom({ ...error, retryAfterS: REST_MS / 1_000 });
  }

  #noRoom(error: MediaFault): Result<never, MediaFault> {
    return { ok: false, error: { ...error, freeLegs: this.freeLegs() } };
  }

  freeLegs(): FreeLegs {
    return freeLegs(this.#slots, this.#pool.free(performance.now()), this.#setting.limits);
  }

  /** Its port rests from now on. */
  #forget(leg: LegId): void {
    const owned = this.#legs.get(leg);
    if (owned === undefined) return;
    this.#legs.delete(leg);
    if (owned.port !== 0) this.#pool.release(owned.port, performance.now());
  }

  // Commands

  async command(command: EngineCommand): Promise<CommandResult> {
    switch (command[0]) {
      case 'createConference':
        return this.#createConference(command[1]);
      case 'join':
        return this.#join(command[1], command[2], command);
      case 'change':
        return this.#send(this.#conferences.get(command[1])?.slot, command[1], command);
      case 'leave':
        return this.#leave(command[1], command[2], command);
      case 'endConference':
        return this.#endConference(command[1], command);
      case 'tap':
        return await this.#tap(command);
      case 'pauseTap':
        return (await this.#taps.pause(command[1], command[2])) ?? unknown(command[1]);
      case 'untap':
        return (await this.#taps.end(command[1])) ?? unknown(command[1]);
      case 'connect':
        return this.#connect(command[1], command[2], command);
      case 'disconnect':
        return this.#alone(command[1], command);
      case 'closeLeg':
        return this.#closeLeg(command[1], command);
      default:
        return this.#sendToLeg(command[1], command);
    }
  }

  async #sendToLeg(leg: LegId, command: EngineCommand): Promise<CommandResult> {
    const owned = this.#legs.get(leg);
    if (owned !== undefined && owned.opening !== null) await owned.opening;
    return this.#send(owned?.slot, leg, command);
  }

  async #send(slot: Slot | null | undefined, id: string, command: EngineCommand): Promise<CommandResult> {
    return slot ? slot.command(command) : unknown(id);
  }

  /** For commands that take a leg out of what it is in, whatever worker the others are on. */
  async #alone(leg: LegId, command: EngineCommand): Promise<CommandResult> {
    const answer = await this.#sendToLeg(leg, command);
    if (answer.ok) await this.#channels.cut(leg);
    return answer;
  }

  async #closeLeg(leg: LegId, command: EngineCommand): Promise<CommandResult> {
    const answer = await this.#alone(leg, command);
    const owned = this.#legs.get(leg);
    if (answer.ok && owned !== undefined) {
      this.#forget(leg);
      owned.slot.legs--;
    }
    return answer;
  }

  async #connect(
    a: LegId,
    b: LegId,
    command: EngineCommand & readonly ['connect', ...unknown[]],
  ): Promise<CommandResult> {
    const [one, other] = [await this.#placed(a), await this.#placed(b)];
    if (one !== undefined && other !== undefined && one.slot !== other.slot)
      return this.#channels.connect(one, other, command[3]);
    const answer = await this.#sendToLeg(a, command);
    if (answer.ok) await this.#channels.cut(a, b);
    return answer;
  }

  /** Where a leg is, once it is open. */
  async #placed(leg: LegId): Promise<Placed | undefined> {
    const owned = this.#legs.get(leg);
    if (owned !== undefined && owned.opening !== null) await owned.opening;
    return owned && { id: leg, slot: owned.slot };
  }

  // Conferences and taps

  #createConference(setting: ConferenceSetting): CommandResult {
    const id = setting.conference;
    if (this.#conferences.has(id)) return fail('Refused', `The conference ${id} exists already.`);
    this.#conferences.set(id, { setting, slot: null });
    return ok(undefined);
  }

  /** Makes it on that worker; the answer cannot be a refusal, and what follows is in order behind it. */
  #found(setting: ConferenceSetting, slot: Slot): Slot {
    void slot.thread?.command(['createConference', setting]);
    return slot;
  }

  async #join(
    id: ConferenceId,
    leg: LegId,
    command: EngineCommand & readonly ['join', ...unknown[]],
  ): Promise<CommandResult> {
    const [conference, owned] = [this.#conferences.get(id), this.#legs.get(leg)];
    if (conference !== undefined && owned !== undefined) {
      conference.slot ??= this.#found(conference.setting, owned.slot);
      const { slot } = conference;
      if (slot !== owned.slot) return this.#joinFar({ id, slot }, leg, command[3]);
    }
    return this.#alone(leg, command);
  }

  async #joinFar(conference: Placed, leg: LegId, participant: ParticipantSetting): Promise<CommandResult> {
    if (this.#channels.conferenceOf(leg) === conference.id)
      return conference.slot.command(['change', conference.id, leg, participant]);
    const placed = await this.#placed(leg);
    return placed === undefined ? unknown(leg) : this.#channels.join(conference, placed, participant);
  }

  async #leave(id: ConferenceId, leg: LegId, command: EngineCommand): Promise<CommandResult> {
    if (this.#channels.conferenceOf(leg) !== id)
      return this.#send(this.#conferences.get(id)?.slot, id, command);
    await this.#channels.cut(leg);
    return ok(undefined);
  }

  async #endConference(id: ConferenceId, command: EngineCommand): Promise<CommandResult> {
    const conference = this.#conferences.get(id);
    this.#conferences.delete(id);
    await this.#channels.cutConference(id);
    return conference !== undefined && conference.slot === null
      ? ok(undefined)
      : this.#send(conference?.slot, id, command);
  }

  async #tap([, id, setting]: EngineCommand & readonly ['tap', ...unknown[]]): Promise<CommandResult> {
    if (this.#taps.has(id)) return fail('Refused', `The tap ${id} exists already.`);
    return (await this.#taps.begin(id, setting)) ?? unknown(setting.channels[0]?.legs[0] ?? id);
  }
}

const unknown = (id: string) => fail('Unknown', `There is nothing called ${id} here.`);
