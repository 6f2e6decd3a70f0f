import type { SelfTestPoint, SelfTestRecord } from './record.ts';

/** A test of this machine that has ended. */
export interface TestedSelf {
  readonly record: SelfTestRecord;
  /** The control plane has it. */
  readonly sent: boolean;
}

export interface SelfTestRunsPorts {
  /** Tests this machine; each point comes as it is found. */
  readonly test: (onPoint: (point: SelfTestPoint) => void) => Promise<SelfTestRecord>;
  /** The last record on the disk; undefined: there is none. */
  readonly kept: () => SelfTestRecord | undefined;
  /** Sends the acceptance record to the control plane. @returns whether it has it */
  readonly send: (record: SelfTestRecord) => Promise<boolean>;
}

/** The self-tests of this machine: one at a time, and the result of the last one. */
export class SelfTestRuns {
  readonly #ports: SelfTestRunsPorts;
  #points: SelfTestPoint[] = [];
  #running: Promise<TestedSelf> | undefined;

  constructor(ports: SelfTestRunsPorts) {
    this.#ports = ports;
  }

  /** The record on the disk is the last one, whoever started it: a person here, or `carillon selftest`. */
  state() {
    const record: SelfTestRecord | null = this.#ports.kept() ?? null;
    const running = this.#running !== undefined;
    return { running, points: running ? this.#points : [], record };
  }

  /** Tests this machine now, or waits for the test that runs. */
  run(): Promise<TestedSelf> {
    this.#running ??= this.#tested().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #tested(): Promise<TestedSelf> {
    this.#points = [];
    const record = await this.#ports.test((point) => this.#points.push(point));
    // A line that is down has its own point in the record.
    const sent = await this.#ports.send(record).catch(() => false);
    return { record, sent };
  }
}
