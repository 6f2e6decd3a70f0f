import type { AlarmEvent, Bs8521Fields } from '#shared/alarm-event/index.ts';
import {
  type Bs8521Profile,
  type ControllerCallEffect,
  type ControllerCallInput,
  controllerCall,
  encodeLine,
  isOccupied,
  stepControllerCall,
} from '../../protocol/bs8521/index.ts';
import type { ReceivedTone, Tone } from '../../protocol/tone/index.ts';
import {
  isTtOccupied,
  stepTtControllerCall,
  type TtControllerEffect,
  type TtControllerInput,
  type TtProfile,
  ttControllerCall,
} from '../../protocol/tt/index.ts';

export interface CalledControllerPorts {
  readonly play: (tones: readonly Tone[]) => void;
  readonly start: (ms: number) => void;
  readonly stop: () => void;
  readonly trace: (text: string) => void;
  /** It says an alarm; `taken` or `notTaken` follows. */
  readonly alarm: (line: string) => void;
}

/** The machine of the protocol in which a controller that we call is spoken with. */
export interface ControllerMachine {
  /** Its tones are for this machine alone, and commands have to wait. */
  readonly isOccupied: boolean;
  step(input: Input): readonly Effect[];
}

type Input = ControllerCallInput | TtControllerInput;
type Effect = ControllerCallEffect | TtControllerEffect;
type Event = Pick<AlarmEvent, 'deviceId' | 'systemConfig'>;

/** A device of BS 8521 that we call may be a controller, which asks who calls. `number`: what we are known by. */
export function bs8521Controller(number: string, event: Event, profile: Bs8521Profile): ControllerMachine {
  const unitId = /^\d{1,4}$/.test(event.deviceId ?? '') ? event.deviceId?.padStart(4, '0') : undefined;
  let call = controllerCall({ number, unitId }, profile);
  return {
    get isOccupied() {
      return isOccupied(call);
    },
    step(input) {
      if (input.type === 'opened') return [];
      const { state, effects } = stepControllerCall(call, input as ControllerCallInput);
      call = state;
      return effects;
    },
  };
}

/** The controller of a TT scheme, whose unit is to be spoken with. Undefined: the event is of no unit behind a controller. */
export function ttController(
  { deviceId, systemConfig }: Event,
  isScheme: boolean,
  profile: TtProfile,
): ControllerMachine | undefined {
  const unit = /^0*(\d{1,3})$/.exec(deviceId ?? '')?.[1]?.padStart(3, '0');
  const isGrouped = isScheme || systemConfig?.send?.startsWith('grouped') === true;
  if (unit === undefined || !isGrouped) return undefined;
  let call = ttControllerCall(unit, profile);
  return {
    get isOccupied() {
      return isTtOccupied(call);
    },
    step(input) {
      if (input.type === 'taken' || input.type === 'notTaken') return [];
      const { state, effects } = stepTtControllerCall(call, input);
      call = state;
      return effects;
    },
  };
}

/** A controller that we call: its machine, joined to the call. */
export class CalledController {
  readonly #ports: CalledControllerPorts;
  readonly #machine: ControllerMachine;
  /** Commands that wait until they may be said. */
  #waiting: (() => void)[] = [];
  #cleared: (() => void) | undefined;

  constructor(machine: ControllerMachine, ports: CalledControllerPorts) {
    this.#ports = ports;
    this.#machine = machine;
  }

  get isOccupied(): boolean {
    return this.#machine.isOccupied;
  }

  /** It has answered. */
  opened(): void {
    this.#step({ type: 'opened' });
  }

  onTone(tone: Pick<ReceivedTone, 'digit' | 'ms'>): void {
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

  /** The speech with the controller is over; `cleared` follows, once. */
  clear(cleared: () => void): void {
    this.#cleared = cleared;
    this.#waiting = [];
    this.#step({ type: 'clear' });
  }

  #step(input: Input): void {
    for (const effect of this.#machine.step(input))
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
