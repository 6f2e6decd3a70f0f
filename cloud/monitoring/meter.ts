import type { Connectivity } from './watch.ts';

/** What monitoring has seen since its start, in Prometheus text format (control plane, section 14). No host is named. */
export class Meter {
  #heartbeats = 0;
  readonly #transitions = new Map<string, number>();
  readonly #refusals = new Map<string, number>();

  heartbeat(): void {
    this.#heartbeats += 1;
  }

  transition(from: Connectivity, to: Connectivity): void {
    count(this.#transitions, `from="${from}",to="${to}"`);
  }

  /** A host has refused a configuration; each code once, however many rows it names. */
  refused(codes: readonly string[]): void {
    for (const code of new Set(codes)) count(this.#refusals, `code="${code.replaceAll(/\W/g, '_')}"`);
  }

  text(): string {
    return [
      '# HELP carillon_heartbeats_total Heartbeats of hosts',
      '# TYPE carillon_heartbeats_total counter',
      `carillon_heartbeats_total ${this.#heartbeats}`,
      '# HELP carillon_presence_transitions_total Hosts that came into another state of connectivity',
      '# TYPE carillon_presence_transitions_total counter',
      ...series('carillon_presence_transitions_total', this.#transitions),
      '# HELP carillon_config_nack_total Configurations that hosts have refused',
      '# TYPE carillon_config_nack_total counter',
      ...series('carillon_config_nack_total', this.#refusals),
      '',
    ].join('\n');
  }
}

const count = (counts: Map<string, number>, labels: string): void =>
  void counts.set(labels, (counts.get(labels) ?? 0) + 1);

const series = (name: string, counts: ReadonlyMap<string, number>): string[] =>
  [...counts].map(([labels, value]) => `${name}{${labels}} ${value}`);

/** Shards of the broker that this program owns, and whether each has its connection. */
export const shardMetric = (owned: number, down: number): string =>
  [
    '# HELP carillon_shard_owned Shards that this control plane owns',
    '# TYPE carillon_shard_owned gauge',
    `carillon_shard_owned ${owned}`,
    '# HELP carillon_broker_connected Shards that have their connection to the broker',
    '# TYPE carillon_broker_connected gauge',
    `carillon_broker_connected ${owned - down}`,
    '',
  ].join('\n');
