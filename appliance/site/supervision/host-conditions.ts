import type { Log } from '#shared/log.ts';
import { type ConditionEvent, TestModeMute } from '../index.ts';

export interface HostConditionsPorts {
  /** False: this machine belongs to no tenant yet. */
  readonly isHost: () => boolean;
  readonly tell: (event: ConditionEvent) => void;
  readonly log: Log;
}

/**
 * Conditions of this host on their way to its tenant. A technician at work breaks things on purpose: in test mode the console
 * sees conditions, and the tenant is left in peace until it ends.
 */
export class HostConditions {
  readonly #ports: HostConditionsPorts;
  readonly #mute = new TestModeMute();

  constructor(ports: HostConditionsPorts) {
    this.#ports = ports;
  }

  changed(event: ConditionEvent): void {
    const { error, service, status } = event;
    if (this.#mute.isQuiet)
      this.#ports.log('info', 'condition.withheld', 'Withheld a condition from the tenant in test mode', {
        error,
        service,
        status,
      });
    for (const each of this.#mute.take(event)) this.#tell(each);
  }

  testMode(on: boolean): void {
    if (on) this.#mute.begin();
    else for (const event of this.#mute.end()) this.#tell(event);
  }

  #tell(event: ConditionEvent): void {
    if (this.#ports.isHost()) this.#ports.tell(event);
  }
}
