import type { LocalOverride, Twin } from '#shared/contract/feed/index.ts';
import {
  confirmed,
  type Override,
  type ReplicaStore,
  reviewOverrides,
  standing,
} from '../../replica/index.ts';
import type { ReportAct } from './host-act.ts';
import { type SitePorts, Timer } from './site-port.ts';

/** People write overrides from a command of their own; they take effect within this. */
const LOOK_MS = 2_000;
/** A reach this young may still be one over the network before the change. */
const REACH_MS = 5_000;
const REPORTED_LENGTH = 300;

export interface OverridePorts extends Pick<SitePorts, 'clock' | 'log' | 'startTimer'> {
  readonly store: Pick<ReplicaStore, 'overrides' | 'keepOverride' | 'dropOverride'>;
  /** An override is in force (`value`) or is over (undefined). */
  readonly apply: (key: string, value: unknown) => void;
  /** The list in force, for the cloud. */
  readonly report: (overrides: readonly LocalOverride[]) => void;
  /** For the audit log of the tenant: what a person did here, and how it ended. */
  readonly tell: ReportAct;
  /** The management connection is open. */
  readonly connected: () => boolean;
}

/** Local overrides in force: taken up, ended in time, given way to a later revision, reported whole. */
export class SiteOverrides {
  readonly #ports: OverridePorts;
  readonly #timer: Timer;
  /** Text of each in force, by key. */
  readonly #applied = new Map<string, string>();
  #reported = '[]';
  #twin: Twin | undefined;

  constructor(ports: OverridePorts) {
    this.#ports = ports;
    this.#timer = new Timer(ports);
  }

  start(): void {
    this.look();
    this.#timer.start(LOOK_MS, () => this.start());
  }

  stop(): void {
    this.#timer.stop();
  }

  twinChanged(twin: Twin): void {
    this.#twin = twin;
  }

  get count(): number {
    return this.#applied.size;
  }

  /** Clears on request of the cloud; without a key all of them. Gives the keys that are cleared. */
  clear(key?: string): readonly string[] {
    const cleared = standing(this.#ports.store.overrides())
      .map((each) => each.key)
      .filter((each) => key === undefined || each === key);
    for (const each of cleared) this.#ports.store.dropOverride(each);
    this.look();
    return cleared;
  }

  /** Takes up what has changed since the last look. */
  look(): void {
    const { store, clock, log, apply, tell } = this.#ports;
    for (const override of standing(store.overrides())) this.#judgeTrial(override);
    for (const { before = [] } of store.overrides()) for (const each of before) this.#tellPast(each);
    const { stays, over } = reviewOverrides(store.overrides(), (key) => this.#wanted(key), clock.wallMs());
    for (const [override, why] of over) {
      const { key, author, reason } = override;
      log('info', 'override.ended', 'Ended an override', { key, why, author, reason });
      this.#tellPast(override, why);
      store.dropOverride(key);
    }
    for (const override of stays) {
      if (override.noted !== true) this.#note(override);
      const text = JSON.stringify(override.value);
      if (this.#applied.get(override.key) === text) continue;
      const { key, value, author, reason } = override;
      log('warn', 'override.applied', 'Applied an override', { key, value, author, reason });
      this.#applied.set(key, text);
      apply(key, value);
    }
    for (const key of [...this.#applied.keys()]) {
      if (stays.some((each) => each.key === key)) continue;
      if (!over.some(([each]) => each.key === key))
        tell({ action: 'overrideOver', detail: { key, why: 'cleared' } });
      this.#applied.delete(key);
      apply(key, undefined);
    }
    this.#report(stays);
  }

  /** The cloud was reached over the new network: the change stays. */
  #judgeTrial(override: Override): void {
    const { store, clock, connected } = this.#ports;
    if (!override.trial || !connected()) return;
    if (clock.wallMs() - override.since < REACH_MS) return;
    store.keepOverride(confirmed(override));
  }

  /**
   * Reports that it is over, and before that that it began where this was never reported: it came and went while the program
   * was stopped.
   */
  #tellPast(override: Override, end = 'replaced'): void {
    const { key, noted, cleared } = override;
    if (noted !== true) this.#tellSet(override);
    const why = cleared === undefined ? end : 'cleared';
    this.#ports.tell({
      action: 'overrideOver',
      ...(cleared && { by: cleared.by.slice(0, 200) }),
      detail: { key, why },
    });
  }

  /** Reports it once, however often the program starts again: the store keeps a mark of the report. */
  #note(override: Override): void {
    this.#tellSet(override);
    const { before: _, ...own } = override;
    this.#ports.store.keepOverride({ ...own, noted: true });
  }

  #tellSet(override: Override): void {
    const { key, value, author, reason, expiresAt, pinned } = override;
    // Whose number it is stays here.
    const shown = key === 'fallbackNumber' ? {} : { value: JSON.stringify(value).slice(0, REPORTED_LENGTH) };
    const said = { key, ...shown, reason: reason.slice(0, REPORTED_LENGTH), expiresAt, pinned };
    this.#ports.tell({ action: 'override', by: author.slice(0, 200), detail: said });
  }

  #report(stays: readonly Override[]): void {
    const overrides = stays.map(
      ({ trial: _, wanted: __, noted: ___, before: ____, cleared: _____, ...reported }): LocalOverride =>
        reported,
    );
    const text = JSON.stringify(overrides);
    if (text === this.#reported) return;
    this.#reported = text;
    this.#ports.report(overrides);
  }

  /** The value of a key in the configuration; most keys have none. */
  #wanted(key: string): unknown {
    return key === 'network' ? (this.#twin?.net ?? null) : null;
  }
}
