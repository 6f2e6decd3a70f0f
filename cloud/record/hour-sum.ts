import type { RecordHourRow, SessionRecordRow } from '../store/index.ts';

const HOUR_MS = 3_600_000;

/** The differences that a batch makes to the counts by hour. */
export class HourSum {
  readonly #tenant: string;
  readonly #sums = new Map<string, RecordHourRow>();

  constructor(tenant: string) {
    this.#tenant = tenant;
  }

  add({ at, siteId, kind, result }: SessionRecordRow, amount: number): void {
    const hour = Math.floor(at / HOUR_MS) * HOUR_MS;
    const key = JSON.stringify([hour, siteId, kind, result]);
    const before = this.#sums.get(key)?.amount ?? 0;
    this.#sums.set(key, { tenant: this.#tenant, hour, siteId, kind, result, amount: before + amount });
  }

  /** In one order for every writer, so that two of them never wait for each other. */
  rows(): RecordHourRow[] {
    return [...this.#sums.entries()]
      .filter(([, { amount }]) => amount !== 0)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, row]) => row);
  }
}
