import type { NetworkOutcome } from '#shared/contract/feed/index.ts';
import type { Log } from '#shared/log.ts';

export interface NetworkAlarmPorts {
  /** Where root leaves its outcome, for the log. */
  readonly outcomeFile: string;
  /** Changes whenever root writes; undefined: there is no outcome. */
  readonly mark: () => string | undefined;
  /** Undefined: it cannot be read. */
  readonly outcome: () => NetworkOutcome | undefined;
  readonly dropOutcome: () => Promise<void>;
  /** The raised alarm, kept over restarts, so that it is cleared in any case. */
  readonly raised: () => string | undefined;
  readonly keepRaised: (message: string) => Promise<void>;
  readonly dropRaised: () => Promise<void>;
  /** A fault of service `network`; undefined = there is none any more. */
  readonly fault: (message: string | undefined) => void;
  readonly log: Log;
}

/**
 * The alarm about a change of the network that came to nothing:
 *
 *     quiet ── outcome with another code than 0 ──▶ raised ── outcome 0, or the request is withdrawn ──▶ quiet
 */
export class NetworkAlarm {
  readonly #ports: NetworkAlarmPorts;
  #begun = false;
  #raised = false;
  #seen = '';

  constructor(ports: NetworkAlarmPorts) {
    this.#ports = ports;
  }

  /** To be called again and again: this program gets no signal that root has written. */
  async look(): Promise<void> {
    const { mark, outcome: read, outcomeFile, fault, keepRaised, log } = this.#ports;
    this.#begin();
    const now = mark();
    if (now === undefined || now === this.#seen) return;
    this.#seen = now;
    const outcome = read();
    if (outcome === undefined)
      return log(
        'warn',
        'network_request.outcome_read_failed',
        'Could not read the outcome of a network request',
        { outcomeFile, reason: 'the file is no JSON object with the fields of an outcome' },
      );
    if (outcome.code === 0) return await this.#clear();
    const message = sentenceOf(outcome);
    this.#raised = true;
    fault(message);
    await keepRaised(message);
  }

  /** The control plane asks for no addresses any more: the outcome of its last request does not matter any more. */
  async withdrawn(): Promise<void> {
    this.#begin();
    await this.#ports.dropOutcome();
    await this.#clear();
  }

  /** The table of conditions is empty at each start of the program; the alarm is not. */
  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    const message = this.#ports.raised();
    if (message === undefined) return;
    this.#raised = true;
    this.#ports.fault(message);
  }

  async #clear(): Promise<void> {
    if (!this.#raised) return;
    this.#raised = false;
    this.#ports.fault(undefined);
    await this.#ports.dropRaised();
  }
}

/** A twin that could not be read gives no addresses. */
function sentenceOf({ networkInterfaces, sentence }: NetworkOutcome): string {
  const named = networkInterfaces.length === 0 ? '' : ` (${networkInterfaces.join(', ')})`;
  return `The addresses of the control plane${named} are not in force: ${sentence}`;
}
