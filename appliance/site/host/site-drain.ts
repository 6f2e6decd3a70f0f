import type { DrainProgress, Twin } from '#shared/contract/feed/index.ts';
import {
  type Admittance,
  type DrainEffect,
  type DrainInfo,
  type DrainInput,
  type DrainState,
  isDraining,
  serving,
  stepDrain,
} from '../index.ts';
import { type SitePorts, Timer } from './site-port.ts';

const LOOK_MS = 1_000;

export interface DrainPorts extends Pick<SitePorts, 'clock' | 'log' | 'startTimer'> {
  readonly facts: () => DrainInfo;
  readonly admit: (admittance: Admittance) => void;
  readonly endOrdinaryCalls: () => void;
  /** Services that a drained host does not need; agent, uplink and outbox go on. */
  readonly pauseServices: () => void;
  readonly resumeServices: () => void;
  readonly report: (progress: DrainProgress) => void;
}

/** Carries drains out: the twin orders, the machine decides, every second it looks how far things are. */
export class SiteDrain {
  readonly #ports: DrainPorts;
  readonly #timer: Timer;
  #state: DrainState = serving;

  constructor(ports: DrainPorts) {
    this.#ports = ports;
    this.#timer = new Timer(ports);
  }

  twinChanged({ life, op, doNotReschedule, force, deadline }: Twin): void {
    this.#decide({ kind: 'twin', life, op, doNotReschedule, force, deadline });
    this.#look();
  }

  stop(): void {
    this.#timer.stop();
  }

  /** Serving, or a step of the drain. */
  get at(): DrainState['at'] {
    return this.#state.at;
  }

  /** Its services want another place. */
  get reschedules(): boolean {
    return isDraining(this.#state) && !this.#state.doNotReschedule;
  }

  #look(): void {
    if (!isDraining(this.#state)) {
      this.#timer.stop();
      return;
    }
    const { clock, facts } = this.#ports;
    this.#decide({ kind: 'look', facts: facts(), wallMs: clock.wallMs(), atMs: clock.monoMs() });
    this.#timer.start(LOOK_MS, () => this.#look());
  }

  #decide(input: DrainInput): void {
    const before = this.#state.at;
    const { state, effects } = stepDrain(this.#state, input);
    this.#state = state;
    if (state.at !== before)
      this.#ports.log('info', 'drain.state_changed', 'The drain changed its state', {
        op: state.op,
        from: before,
        to: state.at,
      });
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: DrainEffect): void {
    switch (effect.kind) {
      case 'admit':
        this.#ports.admit(effect.admittance);
        return;
      case 'endOrdinaryCalls':
        this.#ports.endOrdinaryCalls();
        return;
      case 'pauseServices':
        this.#ports.pauseServices();
        return;
      case 'resumeServices':
        this.#ports.resumeServices();
        return;
      case 'report':
        this.#ports.report(effect.progress);
    }
  }
}
