import type { KernelPorts } from '../../kernel/port.ts';
import type { MediaEvent, MediaPorts } from '../../media/control/index.ts';
import type { CommandParameters } from '../session/index.ts';
import type { CommandOutcome } from './alarm-voice.ts';
import { CallPlayer } from './call-player.ts';
import type { DeviceCall } from './device-call.ts';
import { ToneCommander } from './tone-commander.ts';
import { digitForm } from './tone-phrase.ts';

/** `sendTones` into the call of a device whose protocol says everything else beside the call. */
export class TonesAsGiven {
  readonly #player: CallPlayer;
  readonly #commander: ToneCommander;

  constructor(
    call: DeviceCall,
    ports: MediaPorts & Pick<KernelPorts, 'run'>,
    outcome: (id: string | undefined, outcome: CommandOutcome) => void,
  ) {
    this.#player = new CallPlayer(call, digitForm(call, 'inaudio'), ports);
    this.#commander = new ToneCommander({
      context: () => ({ protocol: 'nowip', grouped: false }),
      play: (tones) => this.#player.play(tones),
      outcome,
      hangUp: (reason) => call.hangUp(reason),
    });
  }

  send(id: string | undefined, parameters: CommandParameters | undefined): void {
    this.#commander.command(id, 'sendTones', parameters);
  }

  onMediaEvent(event: MediaEvent): void {
    if (event.kind !== 'played') return;
    this.#player.played(event.play);
    this.#commander.played(event.play);
  }
}
