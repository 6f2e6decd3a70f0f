import { counter, type Family, gauge, histogram, labelWord } from '#shared/metric/index.ts';
import type { Connectivity } from '../presence/watch.ts';

/** Promised: 45, 105 and 375 s, and at most 2 s more. */
const RAISE_S = [15, 30, 50, 75, 115, 150, 240, 375, 400, 600, 3_600];
/** Promised: p99 2 s for hosts that are connected, 30 s in large tenants. */
const APPLY_S = [0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 600, 3_600];

/** Counters since the start of the program (control plane, section 14). They name no host. */
export class Meter {
  readonly #heartbeats = counter('carillon_heartbeats_total', 'Heartbeats of hosts');
  readonly #transitions = counter(
    'carillon_presence_transitions_total',
    'Hosts that came into another state of connectivity',
    ['from', 'to'],
  );
  readonly #falseOffline = counter(
    'carillon_false_offline_total',
    'Hosts called offline that went on in the session they had: they were there all the time',
  );
  readonly #raised = histogram(
    'carillon_alarm_raise_latency_seconds',
    'From the last sign of a host to the alarm about its silence',
    RAISE_S,
  );
  readonly #applied = histogram(
    'carillon_config_apply_seconds',
    'From the commit of a change to the word of a host that it is in force',
    APPLY_S,
  );
  readonly #refusals = counter('carillon_config_nack_total', 'Configurations that hosts have refused', [
    'code',
  ]);

  heartbeat(): void {
    this.#heartbeats.add();
  }

  transition(from: Connectivity, to: Connectivity): void {
    this.#transitions.add([from, to]);
  }

  falseOffline(): void {
    this.#falseOffline.add();
  }

  raised(silentMs: number): void {
    this.#raised.observe(silentMs / 1_000);
  }

  applied(afterMs: number): void {
    this.#applied.observe(afterMs / 1_000);
  }

  /** A host has refused a configuration; each code once, however many rows it names. */
  refused(codes: readonly string[]): void {
    for (const code of new Set(codes)) this.#refusals.add([labelWord(code)]);
  }

  get families(): readonly Family[] {
    return [
      this.#heartbeats,
      this.#transitions,
      this.#falseOffline,
      this.#raised,
      this.#applied,
      this.#refusals,
    ];
  }
}

/** The shards of this control plane, and the others beside it. */
export interface ShardFigures {
  readonly owned: number;
  /** Owned shards without a connection to the broker. */
  readonly down: number;
  /** Taken from an owner before since the start. */
  readonly takenOver: number;
  /** The highest term of the owned ones. */
  readonly epoch: number;
  /** Live control planes on the database, this one among them. */
  readonly replicas: number;
  /** How far the commits of the others may be behind here, ms. */
  readonly lagMs: number;
}

export const shardFamilies = (read: () => ShardFigures): readonly Family[] => {
  const takeovers = gauge(
    'carillon_shard_takeovers_total',
    'Shards that were taken over from an earlier owner',
    () => read().takenOver,
  );
  return [
    gauge('carillon_shard_owned', 'Shards that this control plane owns', () => read().owned),
    gauge(
      'carillon_shard_epoch',
      'Highest term of the shards that this control plane owns',
      () => read().epoch,
    ),
    { ...takeovers, kind: 'counter' },
    gauge('carillon_broker_connected', 'Shards that have their connection to the broker', () => {
      const { owned, down } = read();
      return Math.max(0, owned - down);
    }),
    gauge('carillon_replicas', 'Control planes that live on this database', () => read().replicas),
    gauge(
      'carillon_announcement_lag_seconds',
      'Age of the oldest change of another control plane that may not be heard yet',
      () => read().lagMs / 1_000,
    ),
  ];
};
