import type { AlarmEvent, Bs8521Fields } from '#shared/alarm-event/index.ts';
import {
  type Bs8521Profile,
  type ControllerCall,
  type ControllerCallInput,
  controllerCall,
  encodeLine,
  isOccupied,
  stepControllerCall,
} from '../../alarm/protocol/bs8521/index.ts';
import type { Tone, ToneHeard } from '../../alarm/protocol/tone/index.ts';

export interface CalledControllerPorts {
  readonly play: (tones: readonly Tone[]) => void;
  readonly start: (ms: number) => void;
  readonly stop: () => void;
  readonly trace: (text: string) => void;
  /** It says an alarm; `taken` or `notTaken` follows. */
  readonly alarm: (line: string) => void;
}

/** A device of BS 8521 that we call may be a controller, which asks who calls: the machine of that, joined to the call. */
export class CalledController {
  readonly #ports: CalledControllerPorts;
  #call: ControllerCall;
  /** What waits until commands may be said. */
  #waiting: (() => void)[] = [];
  #cleared: (() => void) | undefined;

  constructor(
    { number, event }: { readonly number: string; readonly event: Pick<AlarmEvent, 'deviceId'> },
    profile: Bs8521Profile,
    ports: CalledControllerPorts,
  ) {
    this.#ports = ports;
    const unitId = /^\d{1,4}$/.test(event.deviceId ?? '') ? event.deviceId?.padStart(4, '0') : undefined;
    this.#call = controllerCall({ number, unitId }, profile);
  }

  /** Its tones are for this machine alone. */
  get isOccupied(): boolean {
    return isOccupied(this.#call);
  }

  heard(tone: Pick<ToneHeard, 'digit' | 'ms'>): void {
    this.#step({ type: 'heard', tone });
  }

  timer(): void {
    this.#step({ type: 'timer' });
  }

  /** Its alarm is stored and acknowledged. */
  taken(): void {
    this.#step({ type: 'taken' });
  }

  notTaken(): void {
    this.#step({ type: 'notTaken' });
  }

  whenFree(say: () => void): void {
    if (this.isOccupied) this.#waiting.push(say);
    else say();
  }

  /** Nobody speaks with it any more; `cleared` follows, once. */
  clear(cleared: () => void): void {
    this.#cleared = cleared;
    this.#waiting = [];
    this.#step({ type: 'clear' });
  }

  #step(input: ControllerCallInput): void {
    const { state, effects } = stepControllerCall(this.#call, input);
    this.#call = state;
    for (const effect of effects)
      switch (effect.type) {
        case 'play':
          this.#ports.play(effect.tones);
          break;
        case 'startTimer':
          this.#ports.start(effect.ms);
          break;
        case 'stopTimer':
          this.#ports.stop();
          break;
        case 'identified':
          this.#ports.trace(identity(effect.fields));
          break;
        case 'alarm':
          this.#ports.alarm(effect.line);
          break;
        case 'open':
          for (const say of this.#waiting.splice(0)) say();
          break;
        case 'cleared':
          this.#cleared?.();
          this.#cleared = undefined;
          break;
        case 'trace':
          this.#ports.trace(effect.text);
          break;
      }
  }
}

const identity = (fields: Bs8521Fields): string =>
  `the controller that was called is ${fields.controllerId}: ${encodeLine(fields)}`;
