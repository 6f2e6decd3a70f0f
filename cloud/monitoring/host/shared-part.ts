import { BoundedMap } from '#shared/bounded-map.ts';
import type { HostFacts } from '../../store/index.ts';

/** Chosen: hosts of one release say the same, but for their addresses; ten releases in all states of their services are fewer. */
const MOST = 2_000;
/** Parts of a report that many hosts have in common. */
const PARTS = ['roles', 'sw', 'svc', 'out', 'peers', 'cap'] as const;

/**
 * Parts of what hosts report, each once in memory: ten thousand hosts say that their services are well, with each heartbeat. No
 * part is ever changed in place.
 */
export class SharedParts {
  readonly #known = new BoundedMap<string, object>(MOST);
  /** Those of the map, so that a part that stays is not spelt again. */
  readonly #ones = new WeakSet<object>();

  /** The facts with the same content, and as many parts as possible of those of other hosts. */
  facts(facts: HostFacts): HostFacts {
    const own: Record<string, unknown> = { ...facts };
    for (const name of PARTS) {
      const part = facts[name];
      if (part !== undefined) own[name] = this.#shared(part);
    }
    return own;
  }

  #shared<T extends object>(part: T): T {
    if (this.#ones.has(part)) return part;
    const text = JSON.stringify(part);
    const known = this.#known.use(text) as T | undefined;
    if (known !== undefined) return known;
    this.#known.set(text, part);
    this.#ones.add(part);
    return part;
  }
}
