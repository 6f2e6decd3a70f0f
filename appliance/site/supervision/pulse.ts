import type { Log } from '#shared/log.ts';
import { type AskWorkers, workersFault } from './media-workers.ts';

/** A listener that is asked whether it answers. */
export interface ListenerQuestion {
  readonly host: string;
  /** Resolves to what is wrong with it; undefined: it answers. */
  readonly ask: () => Promise<string | undefined>;
}

export interface PulsePorts {
  /** Everything that listens now. */
  readonly listeners: () => readonly ListenerQuestion[];
  readonly workers: AskWorkers;
  /** Writes to the journal; resolves also when the disk refuses. */
  readonly write: () => Promise<unknown>;
  /** Whether this machine has an address now. */
  readonly has: (host: string) => boolean;
  readonly log: Log;
}

/**
 * Asks the parts that can hang in an appliance: the loop (the question runs in it), every listener of either family, the media
 * workers, the journal's thread. A disk that refuses has answered: starting again would not make room on it. `Chosen:` so has
 * a listener whose address the machine has lost: a start would end in front of that address, and take the others with it. It
 * is said in the log, once.
 */
export class Pulse {
  readonly #ports: PulsePorts;
  #lost = '';

  constructor(ports: PulsePorts) {
    this.#ports = ports;
  }

  /** The parts that do not answer, each listener by its address. */
  async faults(): Promise<readonly string[]> {
    const { workers, write } = this.#ports;
    const faults = [...(await this.#listeners())];
    const gone = workersFault(await workers());
    if (gone !== undefined) faults.push(gone);
    await write();
    return faults;
  }

  async #listeners(): Promise<readonly string[]> {
    const { has, listeners, log } = this.#ports;
    const asked = await Promise.all(listeners().map(async ({ host, ask }) => ({ host, fault: await ask() })));
    const silent = asked.flatMap(({ host, fault }) =>
      fault === undefined ? [] : [{ fault, isHere: has(host) }],
    );
    const faults = (isHere: boolean) =>
      silent.filter((each) => each.isHere === isHere).map(({ fault }) => fault);
    const lost = faults(false).join('; ');
    if (lost !== '' && lost !== this.#lost)
      log('warn', 'listener.address_lost', 'This machine lost an address of a listener', { found: lost });
    this.#lost = lost;
    return faults(true);
  }
}
