import type { HostPlace, Twin } from '#shared/contract/feed/index.ts';

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Item {
  readonly id: string;
  readonly seq: number;
  readonly type: string;
  readonly data: object;
}

/** A host as it behaves on the wire: what it has on disk survives its crash. */
export interface SimulatedHost {
  readonly place: HostPlace;
  readonly hostId: string;
  /** On disk. */
  twin: Twin | undefined;
  seq: number;
  acked: number;
  readonly journal: Item[];
  /** In memory. */
  sid: string;
  step: number;
  reported: string;
  reached: boolean;
  wiped: boolean;
}
