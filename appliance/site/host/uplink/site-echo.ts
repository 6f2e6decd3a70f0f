import type { HostState } from '#shared/contract/feed/index.ts';
import { type SitePorts, Timer } from '../site-port.ts';

/** Did the broker bring back what we said? `heard`: after so many ms. */
export type EchoOutcome =
  | { readonly kind: 'heard'; readonly ms: number }
  | { readonly kind: 'notEnrolled' }
  | { readonly kind: 'notConnected' }
  | { readonly kind: 'notDelivered'; readonly waitedMs: number };

/** A birth follows the last one after 5 s at the earliest; then there are 5 s for the broker (chosen). */
const WITHIN_MS = 10_000;

interface Waiting {
  readonly over: PromiseWithResolvers<EchoOutcome>;
  /** The birth that is to come back; undefined: it was not published yet. */
  birth: { readonly sid: string; readonly birthNo: number; readonly saidMs: number } | undefined;
}

/**
 * A birth of ours that comes back on the topic of our own state, the one topic this host may both write and read. It shows
 * that the broker takes from us and delivers to us: PUBACK alone would show the first half only.
 *
 *     ask ──▶ said ──▶ heard          10 s ──▶ notDelivered, or notConnected when nothing was said          lost ──▶ notConnected
 */
export class SiteEcho {
  readonly #clock: SitePorts['clock'];
  readonly #timer: Timer;
  #waiting: Waiting | undefined;

  constructor(ports: Pick<SitePorts, 'clock' | 'startTimer'>) {
    this.#clock = ports.clock;
    this.#timer = new Timer(ports);
  }

  /**
   * `present` asks for a birth, which `said` follows; on a connection that is only just being made, its first one does.
   * A second question meanwhile gets the same answer.
   */
  ask(present: () => void): Promise<EchoOutcome> {
    if (this.#waiting !== undefined) return this.#waiting.over.promise;
    const over = Promise.withResolvers<EchoOutcome>();
    this.#waiting = { over, birth: undefined };
    this.#timer.start(WITHIN_MS, () => this.#late());
    present();
    return over.promise;
  }

  said(sid: string, birthNo: number): void {
    if (this.#waiting === undefined || this.#waiting.birth !== undefined) return;
    this.#waiting.birth = { sid, birthNo, saidMs: this.#clock.monoMs() };
  }

  /** A message came on the topic of our own state. An older birth of ours proves nothing: it may have been kept there. */
  onState(state: HostState): void {
    const birth = this.#waiting?.birth;
    if (birth === undefined || state.st !== 'on') return;
    if (state.sid !== birth.sid || state.birthNo < birth.birthNo) return;
    this.#end({ kind: 'heard', ms: this.#clock.monoMs() - birth.saidMs });
  }

  lost(): void {
    this.#end({ kind: 'notConnected' });
  }

  #late(): void {
    const birth = this.#waiting?.birth;
    if (birth === undefined) this.#end({ kind: 'notConnected' });
    else this.#end({ kind: 'notDelivered', waitedMs: this.#clock.monoMs() - birth.saidMs });
  }

  #end(outcome: EchoOutcome): void {
    this.#timer.stop();
    this.#waiting?.over.resolve(outcome);
    this.#waiting = undefined;
  }
}
