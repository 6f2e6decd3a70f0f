import { type Family, gauge } from '#shared/metric/index.ts';
import { type OpenAlarmCount, openAlarmCounts, type Store } from '../store/index.ts';
import type { QueueStream } from './queue-stream.ts';

const STATES = ['waiting', 'taken', 'released'] as const;

/**
 * Figures of the alarm queue over all tenants, for `/metrics`; the rows are asked at each look, before the families. A tenant is no
 * label: its name stays inside.
 */
export class QueueFigures {
  readonly #store: Store;
  readonly #nowMs: () => number;
  #counts: readonly OpenAlarmCount[] = [];
  readonly families: readonly Family[];

  constructor(store: Store, stream: Pick<QueueStream, 'size'>, nowMs: () => number) {
    this.#store = store;
    this.#nowMs = nowMs;
    this.families = [
      gauge('carillon_alarm_queue_alarms', 'Alarms of the alarm queue that are not closed', () =>
        STATES.map((state) => [{ state }, this.#of(state)?.alarms ?? 0]),
      ),
      gauge('carillon_alarm_queue_oldest_seconds', 'Age of the longest wait for a person', () => [
        [{}, this.#oldestS()],
      ]),
      gauge(
        'carillon_alarm_queue_unanswered',
        'Alarms that no person has taken while their host kept the call',
        () => [[{}, this.#waiting().reduce((sum, { given }) => sum + given, 0)]],
      ),
      gauge('carillon_alarm_queue_followers', 'Open consoles that ring for the alarm queue', () => [
        [{}, stream.size],
      ]),
    ];
  }

  async look(): Promise<void> {
    this.#counts = await openAlarmCounts(this.#store);
  }

  #of(state: string): OpenAlarmCount | undefined {
    return this.#counts.find((count) => count.state === state);
  }

  /** No person has them. */
  #waiting(): readonly OpenAlarmCount[] {
    return this.#counts.filter(({ state }) => state !== 'taken');
  }

  #oldestS(): number {
    const now = this.#nowMs();
    return Math.max(0, ...this.#waiting().map(({ oldestAt }) => now - oldestAt)) / 1_000;
  }
}
