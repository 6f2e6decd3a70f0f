import type { CommissionChecks, Twin } from '#shared/contract/feed/index.ts';
import { type CommissionReadings, commissionChecks } from '../index.ts';
import { type SitePorts, Timer } from './site-port.ts';

/** Checks that passed are repeated after this time, ms. */
const AGAIN_MS = 30_000;
/** Checks that failed are repeated after this time, ms, and after twice the time before then: a service may still be starting. */
const FAILED_AGAIN_MS = 1_000;

export interface CheckPorts extends Pick<SitePorts, 'run' | 'startTimer'> {
  readonly read: () => Promise<CommissionReadings>;
  readonly report: (checks: CommissionChecks) => void;
}

/** Checks this machine while it is being commissioned: after the first twin, and again until it is in service. */
export class SiteCheck {
  readonly #ports: CheckPorts;
  readonly #timer: Timer;
  #op: string | null = null;
  #wanted = false;
  #said = '';
  #failures = 0;

  constructor(ports: CheckPorts) {
    this.#ports = ports;
    this.#timer = new Timer(ports);
  }

  twinChanged({ life, op }: Pick<Twin, 'life' | 'op'>): void {
    const before = this.#wanted;
    this.#wanted = life === 'commissioning';
    if (op !== this.#op) {
      this.#said = '';
      this.#failures = 0;
    }
    this.#op = op;
    if (!this.#wanted) this.stop();
    else if (!before || this.#said === '') this.#ports.run(this.#check());
  }

  stop(): void {
    this.#wanted = false;
    this.#timer.stop();
  }

  async #check(): Promise<void> {
    const checks = [...commissionChecks(await this.#ports.read())];
    if (!this.#wanted) return;
    // Measured values differ each time; whether they are good enough is what counts.
    const said = JSON.stringify(checks.map(({ name, ok, message }) => [name, ok, message]));
    if (said !== this.#said) this.#ports.report({ op: this.#op, checks });
    this.#said = said;
    this.#failures = checks.every(({ ok }) => ok) ? 0 : this.#failures + 1;
    const delayMs =
      this.#failures === 0 ? AGAIN_MS : Math.min(AGAIN_MS, FAILED_AGAIN_MS * 2 ** (this.#failures - 1));
    this.#timer.start(delayMs, () => this.#ports.run(this.#check()));
  }
}
