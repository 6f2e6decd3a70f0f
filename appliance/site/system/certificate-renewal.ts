import type { Log } from '#shared/log.ts';
import type { Failure, Result } from '#shared/result.ts';
import type { RemoteAnswer, RemoteOperation } from '../remote-operation.ts';
import { nextRenewalMs } from './renewal.ts';

/** The certificate that this host holds now. */
export interface HeldCertificate {
  readonly beginsAtMs: number;
  readonly expiresAtMs: number;
  /** Names that a listener or a shared address brought after it was issued. */
  readonly lacking: () => readonly string[];
}

export type RenewalOutcome = Result<{ readonly expiresAt: number }, Failure<'unreachable' | 'refused'>>;

export interface CertificateRenewalPorts {
  /** Undefined: this machine holds none. */
  readonly held: () => HeldCertificate | undefined;
  /** Fetches and keeps a new one; undefined: the address of the cloud is unknown. */
  readonly renew: () => Promise<RenewalOutcome | undefined>;
  /** Listeners show the new certificate from now on. */
  readonly show: () => Promise<void>;
  /** In [0, 1): spreads the hosts. */
  readonly chance: number;
  readonly wallMs: () => number;
  readonly startTimer: (delayMs: number, fire: () => void) => () => void;
  readonly log: Log;
  readonly run: (work: Promise<unknown>) => void;
}

/**
 * The certificate of this host, renewed in time, when the cloud asks and when it lacks a name; alarms and calls notice nothing of it.
 *
 *     waiting ── due, or lacks a name ──▶ renews ──▶ waiting for the next third of its life
 *        ▲                                   └ failed: 1, 2, 4 … 60 min
 *        └───────────────────────────────────┘
 */
export class CertificateRenewal {
  readonly #ports: CertificateRenewalPorts;
  #cancel = (): void => undefined;
  #failed = 0;
  /** A name that the control plane has left out of a certificate once is left out the next time. */
  #asked = false;

  constructor(ports: CertificateRenewalPorts) {
    this.#ports = ports;
  }

  /** From now on in time; also one that has ended while the machine was off. */
  readonly start = (): void => this.#schedule();

  /** The cloud asks for it. */
  readonly now: RemoteOperation = async (): Promise<RemoteAnswer> => {
    const outcome = await this.#renew();
    this.#schedule();
    if (outcome === undefined)
      return { ok: false, code: 'noCloud', reason: 'this host does not know the address of the cloud' };
    return outcome.ok
      ? { ok: true, value: { expiresAt: outcome.value.expiresAt } }
      : { ok: false, code: outcome.error.code, reason: outcome.error.reason };
  };

  readonly stop = (): void => this.#cancel();

  #schedule(): void {
    const held = this.#ports.held();
    if (held === undefined) return;
    const { chance, run, startTimer, wallMs } = this.#ports;
    const soon = this.#failed === 0 && this.#lacking(held).length > 0;
    const delayMs = soon ? 0 : nextRenewalMs({ ...held, failed: this.#failed }, wallMs(), chance);
    this.#cancel();
    this.#cancel = startTimer(delayMs, () => run(this.#look()));
  }

  async #look(): Promise<void> {
    const held = this.#ports.held();
    if (held !== undefined && this.#isDue(held)) await this.#renew();
    this.#schedule();
  }

  /** The clock may have been wrong when the timer was set. */
  #isDue(held: HeldCertificate): boolean {
    const { chance, log, wallMs } = this.#ports;
    const lacking = this.#lacking(held);
    if (lacking.length > 0)
      log('info', 'certificate.names_missing', 'The certificate lacked names of this host', { lacking });
    return lacking.length > 0 || nextRenewalMs({ ...held, failed: 0 }, wallMs(), chance) === 0;
  }

  #lacking(held: HeldCertificate): readonly string[] {
    return this.#asked ? [] : held.lacking();
  }

  async #renew(): Promise<RenewalOutcome | undefined> {
    const { log, renew, show } = this.#ports;
    const outcome = await renew();
    if (outcome === undefined) return undefined;
    if (!outcome.ok) {
      this.#failed += 1;
      const { code, reason } = outcome.error;
      log(
        code === 'refused' ? 'error' : 'warn',
        'certificate.renew_failed',
        'Could not renew the certificate of this host',
        { code, reason },
      );
      return outcome;
    }
    this.#failed = 0;
    this.#asked = true;
    log('info', 'certificate.renewed', 'Renewed the certificate of this host', {
      expiresAt: new Date(outcome.value.expiresAt).toISOString(),
    });
    await show();
    return outcome;
  }
}
