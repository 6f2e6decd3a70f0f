/** Hosts and seconds between which the spread follows a power of the number of hosts. */
const POINTS = [
  { hosts: 100, seconds: 1 },
  { hosts: 10_000, seconds: 60 },
  { hosts: 1_000_000, seconds: 600 },
] as const;

/** Chosen: a tenant of so few hosts needs no more than this between its fetches. */
const FEW = { hosts: 4, seconds: 0.1 };

/** Over how many seconds the hosts of a tenant spread the fetches of what has changed for them alone. */
export const fetchSeconds = (hosts: number): number =>
  hosts <= FEW.hosts ? FEW.seconds : jitterSeconds(hosts);

/**
 * Over how many seconds hosts spread what all of them would do at once: 1 s up to 100 hosts, 60 s at 10,000, 600 s at
 * 1,000,000. In whole seconds of two figures, so that one more host seldom changes the twin of all others.
 */
export function jitterSeconds(hosts: number): number {
  const [few, many, most] = POINTS;
  if (hosts <= few.hosts) return few.seconds;
  const [low, high] = hosts <= many.hosts ? [few, many] : [many, most];
  const power = Math.log(high.seconds / low.seconds) / Math.log(high.hosts / low.hosts);
  const seconds = Math.min(most.seconds, low.seconds * (hosts / low.hosts) ** power);
  return seconds < 10 ? Math.round(seconds) : Math.round(seconds / 10) * 10;
}

/** Chosen: a spread half as long again, or shorter by a third, does its work as well. */
const NEAR = 1.5;

/**
 * The spread that the hosts know, while it is near the wanted one: a fleet that grows to ten thousand would otherwise get a new twin
 * for every host at each of a dozen steps.
 *
 * @param known seconds that the last twin has; undefined when it has none
 * @param wanted seconds for the hosts that there are now
 */
export const steadySeconds = (known: number | undefined, wanted: number): number =>
  known !== undefined && known <= wanted * NEAR && wanted <= known * NEAR ? known : wanted;
