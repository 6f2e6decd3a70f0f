import type { Twin, WipeReport } from '#shared/contract/feed/index.ts';
import { type SitePorts, Timer } from './site-port.ts';

const LOOK_MS = 1_000;
const AGAIN_MS = 30_000;

export interface WipePorts extends Pick<SitePorts, 'log' | 'run' | 'startTimer'> {
  /** Rows of lanes alarm, svc and audit that nobody else has yet. */
  readonly waiting: () => number;
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
 *     twin decommissioned ─▶ flush ─▶ wipe ─▶ report, every 30 s ─▶ finish
 *
 * Once the wipe has begun a restart goes on with it, whatever the twin on the disk says: half a host must not serve.
 */
export class SiteWipe {
  readonly #ports: WipePorts;
  readonly #timer: Timer;
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
    if (life !== 'decommissioned') {
      if (!this.#under) this.#timer.stop();
      return;
    }
    if (!this.#under) this.#flush(op);
  }

  stop(): void {
    this.#timer.stop();
  }

  /** Nothing of lane alarm is ever dropped, so there is no end to this wait but a receiver that takes it. */
  #flush(op: string | null): void {
    if (this.#under) return;
    const left = this.#ports.waiting();
    if (left === 0) {
      this.#ports.begin(op);
      this.#go(op);
      return;
    }
    this.#timer.start(LOOK_MS, () => this.#flush(op));
  }

  #go(op: string | null): void {
    this.#under = true;
    this.#ports.log('warn', 'this machine leaves its site and wipes itself', { op });
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
