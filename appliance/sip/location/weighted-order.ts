/** An entry that is ordered by RFC 2782: hosts of a trunk, SRV records. */
export interface Weighted {
  /** Lowest first. */
  readonly priority: number;
  readonly weight: number;
}

/** A fraction, 0 included, 1 not. */
export type Random = () => number;

/**
 * The order in which to try (RFC 2782, "Weight"): by priority; within one priority each next one is drawn with a
 * chance proportional to its weight. Those of weight 0 stand first in the draw, so that they have a very small
 * chance while others are left.
 */
export function weightedOrder<T extends Weighted>(entries: readonly T[], random: Random): T[] {
  const byPriority = Map.groupBy(entries, ({ priority }) => priority);
  return [...byPriority.keys()]
    .sort((a, b) => a - b)
    .flatMap((priority) => drawn(byPriority.get(priority) ?? [], random));
}

function drawn<T extends Weighted>(entries: readonly T[], random: Random): T[] {
  const left = entries.toSorted((a, b) => Number(a.weight > 0) - Number(b.weight > 0));
  const order: T[] = [];
  while (left.length > 0) {
    const sum = left.reduce((total, { weight }) => total + weight, 0);
    const mark = random() * sum;
    let running = 0;
    const at = left.findIndex(({ weight }) => {
      running += weight;
      return running >= mark;
    });
    order.push(...left.splice(Math.max(0, at), 1));
  }
  return order;
}
