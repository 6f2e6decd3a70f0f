import {
  type Condition,
  type ConditionEvent,
  ConditionTable,
  type GaugeState,
  type Judgement,
  type ServiceEffect,
  type ServiceInput,
  type ServiceState,
  serviceWord,
  stepGauge,
  stepService,
  stoppedService,
  wellGauge,
} from '../index.ts';
import { type SitePorts, Timer } from './site-port.ts';

/** A part of this program that is started, looked at and started again on its own. Nothing in it may need the WAN. */
export interface WatchedService {
  /** `sip`, `media`, `alarm`, `callback`, `recording`, `vip`. */
  readonly name: string;
  /** Rejects with why it does not start. Started twice it is the same as once. */
  readonly start: () => Promise<void>;
  /** Resolves to what is wrong with it, undefined = it serves. */
  readonly probe: () => Promise<string | undefined>;
  /** Ends what is left of it; what must not be interrupted goes on. */
  readonly stop: () => Promise<void>;
}

export interface WatchPorts extends Pick<SitePorts, 'clock' | 'log' | 'run' | 'startTimer'> {
  readonly services: readonly WatchedService[];
  /** Figures of the machine by the alarm they raise (`error`, or `error service`), judged; a reading that cannot be had is left out. */
  readonly readings: () => Promise<Readonly<Record<string, Judgement>>>;
  /** A condition began, ended or goes on: the alarm events endpoint and the cloud learn of it. */
  readonly tell: (event: ConditionEvent) => void;
}

const PROBE_LIMIT_MS = 5_000;
const READ_EVERY_MS = 10_000;

interface Watched {
  readonly service: WatchedService;
  readonly timer: Timer;
  state: ServiceState;
  /** The number of the start or probe under way; the result of a former one is ignored. */
  asked: number;
}

/** The health of this host: its services supervised, its figures judged, its conditions reported once each. */
export class SiteWatch {
  readonly #ports: WatchPorts;
  readonly #watched: ReadonlyMap<string, Watched>;
  readonly #conditions = new ConditionTable();
  readonly #gauges = new Map<string, GaugeState>();
  readonly #readTimer: Timer;
  #stopped = false;

  constructor(ports: WatchPorts) {
    this.#ports = ports;
    this.#readTimer = new Timer(ports);
    this.#watched = new Map(
      ports.services.map((service) => [
        service.name,
        { service, timer: new Timer(ports), state: stoppedService, asked: 0 },
      ]),
    );
  }

  start(): void {
    for (const name of this.#watched.keys()) this.resume(name);
    this.#ports.run(this.#read());
  }

  /** Looks no more; the services are ended by whoever opened them. */
  stop(): void {
    this.#stopped = true;
    this.#readTimer.stop();
    for (const { timer } of this.#watched.values()) timer.stop();
  }

  resume(name: string): void {
    this.#input(name, { kind: 'start', atMs: this.#nowMs });
  }

  /** It stays down until `resume`, and that is no fault. */
  pause(name: string): void {
    this.#input(name, { kind: 'pause' });
  }

  /** A service says by itself that it has ended. */
  exited(name: string, reason: string): void {
    this.#input(name, { kind: 'exited', reason, atMs: this.#nowMs });
  }

  /** Another part saw the fault, in a service that is not of this program, such as `vip`; `message` undefined = it is well. */
  fault(error: string, service: string, message: string | undefined): void {
    if (message !== undefined) this.#raise(error, service, 'major', message);
    else this.#tell(this.#conditions.clear(error, service, this.#nowMs));
  }

  /** Each service and how it does, as heartbeats say it. */
  get svc(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#watched].map(([name, { state }]) => [name, serviceWord(state)]));
  }

  /** Services that should serve and do not. */
  get sick(): readonly string[] {
    return [...this.#watched].flatMap(([name, { state }]) =>
      state.at === 'stopped' || serviceWord(state) === 'ok' ? [] : [name],
    );
  }

  get conditions(): readonly Condition[] {
    return this.#conditions.holding;
  }

  /** Asks every service now, as the health gate does: the names of those that are not well. */
  async probeAll(): Promise<readonly string[]> {
    const asked = [...this.#watched.values()].filter(({ state }) => state.at !== 'stopped');
    const faults = await Promise.all(
      asked.map(async ({ service, state }) =>
        state.at === 'up' ? await this.#limited(service.probe()) : 'it is not up',
      ),
    );
    return asked.flatMap(({ service }, at) => (faults[at] === undefined ? [] : [service.name]));
  }

  // Services

  #input(name: string, input: ServiceInput): void {
    const watched = this.#watched.get(name);
    if (watched === undefined || this.#stopped) return;
    const { state, effects } = stepService(watched.state, input);
    watched.state = state;
    for (const effect of effects) this.#perform(watched, effect);
  }

  #perform(watched: Watched, effect: ServiceEffect): void {
    const { service, timer } = watched;
    const { name } = service;
    switch (effect.kind) {
      case 'start':
        this.#ports.run(this.#started(watched));
        return;
      case 'stop':
        watched.asked++;
        this.#ports.run(service.stop());
        return;
      case 'probe':
        this.#ports.run(this.#probed(watched));
        return;
      case 'startTimer':
        timer.start(effect.delayMs, () => this.#input(name, { kind: 'due', atMs: this.#nowMs }));
        return;
      case 'stopTimer':
        timer.stop();
        return;
      case 'raise':
        this.#raise(effect.fault, name, 'major', effect.message);
        return;
      case 'clear':
        this.#tell(this.#conditions.clear(effect.fault, name, this.#nowMs));
    }
  }

  async #started(watched: Watched): Promise<void> {
    const mine = ++watched.asked;
    const { name } = watched.service;
    const reason = await watched.service.start().then(
      () => undefined,
      (cause: unknown) => (cause instanceof Error ? cause.message : String(cause)),
    );
    if (watched.asked !== mine) return;
    if (reason === undefined) this.#input(name, { kind: 'started', atMs: this.#nowMs });
    else {
      this.#ports.log('error', 'service.start_failed', 'Could not start a service', {
        service: name,
        reason,
      });
      this.#input(name, { kind: 'startFailed', reason, atMs: this.#nowMs });
    }
  }

  async #probed(watched: Watched): Promise<void> {
    const mine = ++watched.asked;
    const fault = await this.#limited(watched.service.probe());
    if (watched.asked !== mine) return;
    if (fault !== undefined)
      this.#ports.log('warn', 'service.probe_failed', 'A service failed its probe', {
        service: watched.service.name,
        fault,
      });
    this.#input(watched.service.name, { kind: 'probed', fault, atMs: this.#nowMs });
  }

  /** No answer is an answer. */
  async #limited(probe: Promise<string | undefined>): Promise<string | undefined> {
    const timer = new Timer(this.#ports);
    const late = new Promise<string>((resolve) =>
      timer.start(PROBE_LIMIT_MS, () => resolve(`no answer within ${PROBE_LIMIT_MS / 1_000} s`)),
    );
    const said = probe.catch((cause: unknown) => (cause instanceof Error ? cause.message : String(cause)));
    const fault = await Promise.race([said, late]);
    timer.stop();
    return fault;
  }

  // Figures

  async #read(): Promise<void> {
    const readings = await this.#ports.readings();
    if (this.#stopped) return;
    for (const [key, judged] of Object.entries(readings)) this.#judge(key, judged);
    for (const event of this.#conditions.due(this.#nowMs)) this.#tell(event);
    this.#readTimer.start(READ_EVERY_MS, () => this.#ports.run(this.#read()));
  }

  #judge(key: string, judged: Judgement): void {
    const { state, effect } = stepGauge(this.#gauges.get(key) ?? wellGauge, judged, this.#nowMs);
    this.#gauges.set(key, state);
    const [error = '', service = ''] = key.split(' ');
    if (effect?.kind === 'raise') this.#raise(error, service, effect.level, effect.message);
    else if (effect !== undefined) this.#tell(this.#conditions.clear(error, service, this.#nowMs));
  }

  #raise(error: string, service: string, severity: Condition['severity'], message: string): void {
    const since = this.#ports.clock.wallMs();
    this.#tell(this.#conditions.raise({ error, service, severity, message, since }, this.#nowMs));
  }

  #tell(event: ConditionEvent | undefined): void {
    if (event !== undefined) this.#ports.tell(event);
  }

  get #nowMs(): number {
    return this.#ports.clock.monoMs();
  }
}
