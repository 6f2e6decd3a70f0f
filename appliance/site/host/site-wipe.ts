import type { Twin, WipeReport } from '#shared/contract/feed/index.ts';
import { type SitePorts, Timer } from './site-port.ts';

const LOOK_MS = 1_000;
const AGAIN_MS = 30_000;

export interface WipePorts extends Pick<SitePorts, 'log' | 'run' | 'startTimer'> {
  /** Rows that no other place has yet, and alarms in progress. */
  readonly waiting: () => number;
  /** Ends all that need not go on, and makes rows of usage that was only counted. Done twice it is the same as once. */
  readonly settle: () => Promise<void>;
  /** Kept across a restart: the operation that wipes this host; undefined = none. */
  readonly begun: () => { readonly op: string | null } | undefined;
  readonly begin: (op: string | null) => void;
  /** Ends the engines, and removes everything secret but what the report needs. Done twice it is the same as once. */
  readonly wipe: () => Promise<Omit<WipeReport, 'op'>>;
  /** True: the platform has it, or does not want it any more. */
  readonly report: (report: WipeReport) => Promise<boolean>;
  /** Key and identity go, and the program ends. */
  readonly finish: () => Promise<void>;
}

/**
 * The end of a host: what it still owes is delivered, then everything secret goes, then it says so, then its identity goes.
 *
 *     twin decommissioned ─▶ flush ─▶ settle ─▶ flush ─▶ wipe ─▶ report, every 30 s ─▶ finish
 *
 * Once the wipe has begun a restart goes on with it, whatever the twin on the disk says: half a host must not serve.
 */
export class SiteWipe {
  readonly #ports: WipePorts;
  readonly #timer: Timer;
  /** The twin wants it, and it has not begun. */
  #leaving: { readonly op: string | null } | undefined;
  #under = false;

  constructor(ports: WipePorts) {
    this.#ports = ports;
    this.#timer = new Timer(ports);
  }

  /** After a start. */
  resume(): void {
    const begun = this.#ports.begun();
    if (begun !== undefined) this.#go(begun.op);
  }

  twinChanged({ life, op }: Pick<Twin, 'life' | 'op'>): void {
    if (this.#under) return;
    this.#timer.stop();
    this.#leaving = life === 'decommissioned' ? { op } : undefined;
    if (this.#leaving !== undefined) this.#ports.run(this.#flush());
  }

  stop(): void {
    this.#timer.stop();
  }

  /**
   * Nothing of lane alarm is ever dropped, so there is no end to this wait but a receiver that takes it. The wipe waits for the
   * rows that settling adds like for the rest; counts that are not taken are dropped after a day.
   */
  async #flush(): Promise<void> {
    const { waiting, settle, begin, run } = this.#ports;
    if (waiting() === 0) await settle();
    // A wipe that was withdrawn meanwhile, or came here twice, has an answer by now.
    if (this.#under || this.#leaving === undefined) return;
    if (waiting() > 0) {
      this.#timer.start(LOOK_MS, () => run(this.#flush()));
      return;
    }
    const { op } = this.#leaving;
    begin(op);
    this.#go(op);
  }

  #go(op: string | null): void {
    this.#under = true;
    this.#ports.log('warn', 'wipe.started', 'Started to wipe this machine', { op });
    this.#ports.run(this.#wiped(op));
  }

  async #wiped(op: string | null): Promise<void> {
    const done = await this.#ports.wipe();
    await this.#tell({ op, ...done });
  }

  async #tell(report: WipeReport): Promise<void> {
    if (await this.#ports.report(report)) {
      await this.#ports.finish();
      return;
    }
    this.#timer.start(AGAIN_MS, () => this.#ports.run(this.#tell(report)));
  }
}
