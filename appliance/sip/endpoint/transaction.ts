import type { Timer, TimerWheel } from '../../kernel/timer-wheel.ts';
import { type Effect, type Step, type TimerBase, type TimerName, timerMs } from '../transaction/index.ts';
import { type Flow, peerOf } from './flow.ts';

/** Timers that guard what the transaction user owes; they belong to no machine. */
export type GuardName = 'trying' | 'answer';

/** One wheel for all of them. */
export type Wheel = TimerWheel<Transaction, TimerName | GuardName>;
type Running = Timer<Transaction, TimerName | GuardName>;
const NONE: readonly Running[] = [];

/** The part of the owning endpoint that a transaction needs. */
export interface Host {
  readonly wheel: Wheel;
  readonly timerBase: TimerBase;
  send(flow: Flow, bytes: Buffer, nowMs: number): void;
  /** The transaction reached Terminated: forget it. */
  ended(transaction: Transaction): void;
}

type AnyTable = Readonly<Record<string, Readonly<Record<string, Step<string>>>>>;

/** One running machine: its state, its timers and the bytes it repeats. The rest is the subclass's. */
export abstract class Transaction {
  /** Under which it is found. */
  abstract readonly key: string;
  #flow: Flow;
  /** False once a message of it came by UDP: another copy may still be on its way. */
  #reliable: boolean;
  readonly method: string;
  protected readonly host: Host;
  readonly #table: AnyTable;
  #state: string;
  #timers: readonly Running[] = NONE;
  /** Last length of the retransmission timer: A, E and G never run together. */
  #intervalMs = 0;
  /** Bytes of the last message sent: what a retransmission repeats. */
  protected kept: Buffer | undefined;

  constructor(host: Host, flow: Flow, method: string, table: AnyTable, state: string) {
    this.host = host;
    this.#flow = flow;
    this.#reliable = flow.reliable;
    this.method = method;
    this.#table = table;
    this.#state = state;
  }

  /** Name of the state in the standard's drawing. */
  get state(): string {
    return this.#state;
  }

  /** The way its messages go. */
  get flow(): Flow {
    return this.#flow;
  }

  /** Its messages go this way from now on: called by `TransactionMap`, which finds it by its way. */
  move(flow: Flow): void {
    this.#flow = flow;
    this.#reliable &&= flow.reliable;
  }

  get peer(): string {
    return peerOf(this.flow);
  }

  /** Effects that need the message of the input: deliver, send, acknowledge, cancel, fail. */
  protected abstract perform(effect: Effect, message: unknown, nowMs: number): void;
  /** A guard fired. */
  abstract guard(guard: GuardName, nowMs: number): void;

  /** Feeds one input; `message` is whatever it brought. */
  input(name: string, message: unknown, nowMs: number): void {
    const step = this.#table[this.#state]?.[name];
    if (step === undefined)
      throw new Error(`${this.method} transaction has no row for ${name} in ${this.#state}`);
    this.take(step, message, nowMs);
  }

  protected take(step: Step<string>, message: unknown, nowMs: number): void {
    this.#state = step.state;
    let elapsed: TimerName | undefined;
    for (const effect of step.effects) {
      if (effect.kind === 'start') {
        if (this.#start(effect.timer, effect.length, nowMs) === 0) elapsed = effect.timer;
      } else if (effect.kind === 'stop') this.stopTimer(effect.timer);
      else if (effect.kind === 'repeat') {
        if (this.kept !== undefined) this.host.send(this.flow, this.kept, nowMs);
      } else this.perform(effect, message, nowMs);
    }
    if (this.#state === 'Terminated') this.#end();
    // A timer of zero length (D, I, J, K on reliable transports) fires at once.
    else if (elapsed !== undefined) this.input(`timer ${elapsed}`, undefined, nowMs);
  }

  /** A timer of this transaction fired. */
  fire(timer: TimerName | GuardName, nowMs: number): void {
    if (this.#state === 'Terminated') return;
    this.#timers = this.#timers.filter((each) => each.name !== timer);
    if (timer === 'trying' || timer === 'answer') this.guard(timer, nowMs);
    else this.input(`timer ${timer}`, undefined, nowMs);
  }

  startTimer(timer: TimerName | GuardName, afterMs: number, nowMs: number): void {
    this.stopTimer(timer);
    const running = this.host.wheel.start(this, timer, nowMs + afterMs);
    this.#timers = this.#timers.length === 0 ? [running] : [...this.#timers, running];
  }

  stopTimer(timer: TimerName | GuardName): void {
    for (const running of this.#timers) {
      if (running.name !== timer) continue;
      this.host.wheel.stop(running);
      this.#timers = this.#timers.filter((each) => each !== running);
      return;
    }
  }

  /** Answers the length in ms; undefined when the transport needs no such timer. */
  #start(
    timer: TimerName,
    length: 'initial' | 'doubled' | 'capped' | 'T2',
    nowMs: number,
  ): number | undefined {
    const { timerBase } = this.host;
    const initialMs = timerMs(timer, this.#reliable, timerBase);
    if (initialMs === undefined || initialMs === 0) return initialMs;
    let ms = initialMs;
    if (length === 'doubled') ms = this.#intervalMs * 2;
    else if (length === 'capped') ms = Math.min(this.#intervalMs * 2, timerBase.t2Ms);
    else if (length === 'T2') ms = timerBase.t2Ms;
    if (timer === 'A' || timer === 'E' || timer === 'G') this.#intervalMs = ms;
    this.startTimer(timer, ms, nowMs);
    return ms;
  }

  #end(): void {
    for (const timer of this.#timers) this.host.wheel.stop(timer);
    this.#timers = NONE;
    this.kept = undefined;
    this.host.ended(this);
  }
}
