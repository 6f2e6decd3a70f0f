import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import {
  atmTime,
  commandFor,
  decodeAtm,
  encodeAtm,
  encodeCommand,
  meaningOf,
  NOWIP_PROFILE,
} from '../../alarm/protocol/nowip/index.ts';
import type { LineUser, MessageAnswer, SayBack } from '../endpoint/telephone.ts';

interface NowIpCentreRun {
  readonly answer: string;
  readonly commands: readonly DeviceCommand[];
  readonly talkMs: number;
}

/** Between two commands, and after clear-down until the centre hangs up, ms. */
const BETWEEN_MS = 1_000;
const RELEASE_MS = 5_000;

/** A centre of NOW-IP: acknowledges alarms and signs of life, answers the call, commands, clears. */
export class NowIpCentre {
  readonly #run: NowIpCentreRun;
  readonly #alarm: (text: string) => void;
  readonly #print: (text: string) => void;
  #back: SayBack | undefined;

  constructor(run: NowIpCentreRun, alarm: (text: string) => void, print: (text: string) => void) {
    this.#run = run;
    this.#alarm = alarm;
    this.#print = print;
  }

  /** @returns the answer to a message of a controller; undefined: none */
  onMessage(body: Uint8Array, back: SayBack): MessageAnswer | undefined {
    const atm = decodeAtm(body);
    const meaning = atm.ok ? meaningOf(atm.value) : atm;
    if (!atm.ok || !meaning.ok) {
      this.#print('a message that is none of NOW-IP');
      return undefined;
    }
    this.#back = back;
    const { kind } = meaning.value;
    if (kind !== 'alarm' && kind !== 'heartbeat') {
      this.#print(`the controller answers ${atm.value.type} ${atm.value.data}`);
      return undefined;
    }
    if (this.#run.answer !== 'acknowledge') {
      this.#print(`${this.#run.answer}: ${atm.value.data}`);
      return undefined;
    }
    if (kind === 'alarm') this.#alarm(atm.value.data);
    else this.#print(`sign of life of ${atm.value.data}`);
    return { type: NOWIP_PROFILE.contentType, body: written('A', '') };
  }

  /** The call beside the alarm. */
  talk(): LineUser {
    const timers: NodeJS.Timeout[] = [];
    return {
      answered: (line) => {
        if (timers.length > 0) return;
        const { commands, talkMs } = this.#run;
        commands.forEach((command, index) => {
          timers.push(setTimeout(() => this.#say(command), BETWEEN_MS * (index + 1)));
        });
        const clearMs = BETWEEN_MS * commands.length + talkMs;
        timers.push(setTimeout(() => this.#say('clearDown'), clearMs));
        timers.push(setTimeout(() => line.hangUp(), clearMs + RELEASE_MS));
      },
      ended: (_, reason) => {
        for (const timer of timers) clearTimeout(timer);
        this.#print(`the call is over: ${reason}`);
      },
    };
  }

  #say(command: DeviceCommand): void {
    const made = commandFor(command);
    if (!made.ok) {
      this.#print(made.error.reason);
      return;
    }
    if (made.value === undefined) {
      this.#print(`says nothing (${command}): the call lives without it`);
      return;
    }
    const { type, data } = encodeCommand(made.value);
    this.#print(`says ${type} ${data} (${command})`);
    this.#back?.({ type: NOWIP_PROFILE.contentType, body: written(type, data) });
  }
}

function written(type: string, data: string): string {
  const { version, mac, emptyText } = NOWIP_PROFILE;
  return encodeAtm({ version, type, data, time: atmTime(Date.now()), mac }, emptyText);
}
