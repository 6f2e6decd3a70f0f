import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import type { Tone } from '../../alarm/protocol/tone/index.ts';
import type { CommandParameters } from '../../alarm/session/index.ts';
import type { Commander, CommandOutcome } from './alarm-voice-desk.ts';
import { type CommandContext, commandTones } from './command-tones.ts';

export interface CommanderPorts {
  /** How the device understands commands now. */
  readonly context: () => Omit<CommandContext, 'direction'>;
  /** Plays into the call; the name of what plays. */
  readonly play: (tones: readonly Tone[]) => string;
  readonly outcome: (id: string | undefined, outcome: CommandOutcome) => void;
  readonly hangUp: (reason: string) => void;
}

/** Commands as tones in the call: one is done when its tones have been played. */
export class ToneCommander implements Commander {
  readonly #ports: CommanderPorts;
  /** By what plays. */
  readonly #under = new Map<string, string>();
  #direction: string | undefined;

  constructor(ports: CommanderPorts) {
    this.#ports = ports;
  }

  command(id: string | undefined, command: DeviceCommand, parameters: CommandParameters | undefined): void {
    const { context, play, outcome, hangUp } = this.#ports;
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
      hangUp('clear-down');
      return;
    }
    this.#direction = made.value.direction ?? direction;
    const playing = play(made.value.tones);
    if (id !== undefined) this.#under.set(playing, id);
  }

  played(play: string): void {
    const id = this.#under.get(play);
    if (id === undefined) return;
    this.#under.delete(play);
    this.#ports.outcome(id, { kind: 'done' });
  }
}
