import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import type { Tone } from '../protocol/tone/index.ts';
import type { CommandParameters } from '../session/index.ts';
import type { Commander, CommandOutcome } from './alarm-voice.ts';
import { type CommandContext, type CommandEcho, commandTones } from './command-tones.ts';

export interface CommanderPorts {
  /** How the device understands commands now. */
  readonly context: () => Omit<CommandContext, 'direction'>;
  /** Plays into the call; the name of what plays. */
  readonly play: (tones: readonly Tone[]) => string;
  readonly outcome: (id: string | undefined, outcome: CommandOutcome) => void;
  readonly hangUp: (reason: string) => void;
  /** How long the device must have been quiet before we hang up, ms: it may have more to say. Absent, 0: at once. */
  readonly quietMs?: () => number;
  /** Time for the device to confirm; `timer` follows. Only of protocols whose devices do. */
  readonly start?: (ms: number) => void;
  readonly stop?: () => void;
}

/** A command whose device has to say that it has understood. */
interface Asked {
  readonly id: string | undefined;
  readonly tones: readonly Tone[];
  readonly echo: CommandEcho;
  playing: string;
  tries: number;
  received: string;
}

/**
 * Commands as tones in the call. One is done when its tones have been played; of those that the device confirms when it
 * has, and it is said again in between:
 *
 *   said --played--> waiting --echo--> done, the next one
 *     ^                 | waitMs: twice again, then deviceSilent
 *     `-----------------'
 */
export class ToneCommander implements Commander {
  readonly #ports: CommanderPorts;
  /** By what plays. */
  readonly #under = new Map<string, string>();
  #direction: string | undefined;
  #asked: Asked | undefined;
  /** We hang up once the device is quiet. */
  #isLeaving = false;
  /** Commands behind the one that is to be confirmed. */
  #waiting: (() => void)[] = [];

  constructor(ports: CommanderPorts) {
    this.#ports = ports;
  }

  command(id: string | undefined, command: DeviceCommand, parameters: CommandParameters | undefined): void {
    if (this.#asked !== undefined) {
      this.#waiting.push(() => this.command(id, command, parameters));
      return;
    }
    const { context, play, outcome, hangUp, start, quietMs = () => 0 } = this.#ports;
    const direction = this.#direction;
    const made = commandTones(command, parameters, {
      ...context(),
      ...(direction !== undefined && { direction }),
    });
    if (!made.ok) {
      const { code, reason } = made.error;
      outcome(id, { kind: 'failed', code, reason });
      return;
    }
    if (made.value.kind === 'hangUp') {
      outcome(id, { kind: 'done' });
      this.#isLeaving = quietMs() > 0;
      if (this.#isLeaving) start?.(quietMs());
      else hangUp('clear-down');
      return;
    }
    const { tones, echo } = made.value;
    this.#direction = made.value.direction ?? direction;
    const playing = play(tones);
    if (echo !== undefined && start !== undefined)
      this.#asked = { id, tones, echo, playing, tries: 1, received: '' };
    else if (id !== undefined) this.#under.set(playing, id);
  }

  played(play: string): void {
    const asked = this.#asked;
    if (asked?.playing === play) {
      this.#ports.start?.(asked.echo.waitMs);
      return;
    }
    const id = this.#under.get(play);
    if (id === undefined) return;
    this.#under.delete(play);
    this.#ports.outcome(id, { kind: 'done' });
  }

  /** A digit of the device. True: it belongs to what a command waits for. */
  takeDigit(digit: string): boolean {
    const asked = this.#asked;
    if (asked === undefined) {
      if (this.#isLeaving) this.#ports.start?.(this.#ports.quietMs?.() ?? 0);
      return false;
    }
    asked.received = `${asked.received}${digit}`.slice(-MOST_DIGITS);
    if (!asked.echo.pattern.test(asked.received)) {
      // It is saying something: its time begins again.
      this.#ports.start?.(asked.echo.waitMs);
      return true;
    }
    if (asked.echo.acknowledge !== undefined) this.#ports.play(asked.echo.acknowledge);
    this.#over({ kind: 'done' });
    return true;
  }

  /** The device has not confirmed in its time. */
  timer(): void {
    const asked = this.#asked;
    if (asked === undefined) {
      if (this.#isLeaving) this.#ports.hangUp('clear-down');
      return;
    }
    if (asked.tries >= asked.echo.tries) {
      const reason = `the device did not confirm the command in ${asked.tries} tries`;
      this.#over({ kind: 'failed', code: 'deviceSilent', reason });
      return;
    }
    asked.tries++;
    asked.received = '';
    asked.playing = this.#ports.play(asked.tones);
  }

  #over(outcome: CommandOutcome): void {
    const id = this.#asked?.id;
    this.#asked = undefined;
    this.#ports.stop?.();
    this.#ports.outcome(id, outcome);
    // One that is to be confirmed puts the rest behind itself again.
    for (const say of this.#waiting.splice(0)) say();
  }
}

const MOST_DIGITS = 64;
