/** Chosen: systemd waits longer, and a person who presses Ctrl-C does not. */
const LONGEST_MS = 8_000;
/** For the answers to our BYEs: a telephone that does not answer has heard it or is unreachable. */
const HANG_UP_MS = 2_000;
const LOOK_MS = 25;

/** The part of an alarm session that says whether an application still owes an answer. */
interface RunningAlarm {
  readonly callbackOut: boolean;
  readonly pending: readonly unknown[];
}

export interface GracefulStopPorts {
  /** Nothing new is taken from now on. */
  readonly takeNothing: () => void;
  /** Calls by what they are for. */
  readonly callsLeft: () => { readonly alarm: number; readonly ordinary: number };
  readonly endOrdinaryCalls: () => void;
  /** The alarms that run. */
  readonly alarms: () => Iterable<RunningAlarm>;
  /** Puts what was used into the outbox, also of the hour that runs. */
  readonly tellUsage: () => Promise<void>;
  readonly monoMs: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}

/**
 * The graceful stop: nothing new is taken, so that devices try their next receiver at once, and alarms in progress end
 * first, within 8 s. Then the program hangs up on people who still talk: silence would tell them nothing. Rows that are not
 * delivered by then are on the disk. The call of an alarm that goes on is left as it is: its device would take a BYE for the
 * end of its alarm, and without us it finds out.
 */
export class GracefulStop {
  readonly #ports: GracefulStopPorts;

  constructor(ports: GracefulStopPorts) {
    this.#ports = ports;
  }

  /** A device or an application still waits for an alarm. */
  get inProgress(): boolean {
    const { alarms, callsLeft } = this.#ports;
    return callsLeft().alarm > 0 || [...alarms()].some(isAsking);
  }

  async alarmsEnd(): Promise<void> {
    this.#ports.takeNothing();
    await this.#within(LONGEST_MS, () => !this.inProgress);
    await this.#peopleEnd();
  }

  /**
   * Puts the work of this host into its outbox, to the last call: it comes back without an identity, and has no other time to
   * report it.
   */
  async reportFinalState(): Promise<void> {
    await this.#peopleEnd();
    await this.#ports.tellUsage();
  }

  async #peopleEnd(): Promise<void> {
    const { callsLeft, endOrdinaryCalls } = this.#ports;
    endOrdinaryCalls();
    await this.#within(HANG_UP_MS, () => callsLeft().ordinary === 0);
  }

  async #within(longestMs: number, over: () => boolean): Promise<void> {
    const { monoMs, pause } = this.#ports;
    const endMs = monoMs() + longestMs;
    while (!over() && monoMs() < endMs) await pause(LOOK_MS);
  }
}

/** A callback of the alarm is out, or waits. */
const isAsking = ({ callbackOut, pending }: RunningAlarm): boolean => callbackOut || pending.length > 0;
