import type { Operations } from '#shared/client/index.ts';

/** One process of the control plane as the API shows it. */
export type Replica = Operations['getPlatformReplica']['answer']['replicas'][number];

const SHARDS = 64;

/** Facts about the deployment as a whole that no single row says. */
export interface ReplicaFacts {
  readonly live: number;
  /** Shards whose hosts no replica observes. */
  readonly unowned: number;
  /** Versions of the living ones, sorted; more than one during a rolling upgrade. */
  readonly versions: readonly string[];
}

export function replicaFacts(replicas: readonly Replica[]): ReplicaFacts {
  const living = replicas.filter(({ live }) => live);
  const owned = new Set(living.flatMap(({ shards }) => shards));
  const versions = new Set(living.flatMap(({ version }) => version ?? []));
  return { live: living.length, unowned: SHARDS - owned.size, versions: [...versions].toSorted() };
}

/** `00–0f, 3f`: shards in their order, runs of three and more with their ends only. */
export function shardRuns(shards: readonly string[]): string {
  const numbers = shards.map((sh) => Number.parseInt(sh, 16)).toSorted((a, b) => a - b);
  const runs: [first: number, last: number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  const name = (number: number): string => number.toString(16).padStart(2, '0');
  return runs
    .flatMap(([first, last]) =>
      last - first >= 2
        ? `${name(first)}–${name(last)}`
        : first === last
          ? name(first)
          : [name(first), name(last)],
    )
    .join(', ');
}
