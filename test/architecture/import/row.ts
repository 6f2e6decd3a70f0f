/** Imports that are allowed. One row speaks for its folders and everything below them that has no longer row of its own. */
export interface Row {
  /** From the root; `*` stands for one folder name. A row may also speak for one file. */
  readonly folders: readonly string[];
  /** Folders and files whose values may be used. A folder may always use itself. */
  readonly may?: readonly string[];
  /** Folders and files of which only types may be used. */
  readonly typesOf?: readonly string[];
  /** Packages by the exact specifier; `x/*` is every other entry of package x. */
  readonly packages?: readonly string[];
  /** Outside of the cores: may use `node:` modules, clocks, timers, randomness, the environment, the console. */
  readonly edge?: true;
  /** May load a module whose name is known when it runs, and not before. */
  readonly computed?: true;
  readonly reason: string;
}

/** Folders that every core may import. */
export const VOCABULARY: readonly string[] = [
  'shared/result.ts',
  'shared/bounded-map.ts',
  'shared/host-port.ts',
  'shared/address-user.ts',
  'shared/source-network.ts',
  'shared/clock.ts',
  'shared/id.ts',
  'shared/log.ts',
  'shared/listeners.ts',
  'shared/turns.ts',
  'shared/concurrency-limit.ts',
  'shared/lately-seen.ts',
];

/** Every engine may use these: time, timers, traces and the loop; what is agreed between programs. */
export const GROUND = ['shared', 'appliance/kernel'];
