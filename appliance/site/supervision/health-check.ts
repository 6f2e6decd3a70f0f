import type { Log } from '#shared/log.ts';
import type { Listen } from '#shared/setting/index.ts';
import { type AskWorkers, workersFault } from './media-workers.ts';

/** A listener that is asked whether it answers. */
export interface ListenerQuestion {
  readonly host: string;
  /** Resolves to what is wrong with it; undefined: it answers. */
  readonly ask: () => Promise<string | undefined>;
}

/** The listeners that are open now, by what they speak. */
export interface OpenListeners {
  readonly sip: readonly (Listen & { readonly transport: string })[];
  readonly https: readonly Listen[];
  readonly dc09: readonly Listen[];
  readonly commandQueue: readonly Listen[];
  readonly peer: readonly Listen[];
}

type Probe<At = Listen> = (at: At) => Promise<string | undefined>;

/** Each asks one listener; resolves to what is wrong with it. */
export interface ListenerProbes {
  readonly sip: Probe<Listen & { readonly transport: 'UDP' | 'TCP' | 'TLS' }>;
  readonly https: Probe;
  /** A connection of TCP, of TLS where `secure`; `name`: the listener in the words of the fault. */
  readonly stream: (name: string, at: Listen, secure: boolean) => Promise<string | undefined>;
}

/**
 * The questions for the listeners that are open. UDP of DC-09 is not asked: each of its answers would be one to an alarm. A
 * WebSocket of SIP is asked with HTTPS, whose listener it shares.
 */
export function listenerQuestions(open: OpenListeners, probes: ListenerProbes): readonly ListenerQuestion[] {
  const each = <At extends Listen>(at: readonly At[], ask: Probe<At>): readonly ListenerQuestion[] =>
    at.map((one) => ({ host: one.host, ask: () => ask(one) }));
  const stream = (name: string, at: readonly Listen[], secure: boolean): readonly ListenerQuestion[] =>
    each(at, (one) => probes.stream(name, one, secure));
  return [
    ...open.sip.flatMap(({ transport, host, port }) =>
      transport === 'UDP' || transport === 'TCP' || transport === 'TLS'
        ? each([{ transport, host, port }], probes.sip)
        : [],
    ),
    ...each(open.https, probes.https),
    ...stream('DC-09', open.dc09, false),
    ...stream('the command queue', open.commandQueue, true),
    ...stream('the link to the other hosts', open.peer, true),
  ];
}

export interface HealthCheckPorts {
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
export class HealthCheck {
  readonly #ports: HealthCheckPorts;
  #lost = '';

  constructor(ports: HealthCheckPorts) {
    this.#ports = ports;
  }

  /** The parts that do not answer, each listener by its address. */
  async faults(): Promise<readonly string[]> {
    const { workers, write } = this.#ports;
    const faults = [...(await this.#listeners())];
    const workerFault = workersFault(await workers());
    if (workerFault !== undefined) faults.push(workerFault);
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
