import type { RingMemory } from '../../audio/index.ts';
import type { LegId, TapId, TapSetting } from '../../control/index.ts';
import type { ArrivalTap } from './arrival-tap.ts';
import type { Member } from './conference.ts';
import { Tap } from './tap.ts';

/** The copies that are made on one worker. */
export class Taps {
  readonly #taps = new Map<TapId, Tap>();

  get size(): number {
    return this.#taps.size;
  }

  /** Frames lost because readers were too slow. */
  get overruns(): number {
    let sum = 0;
    for (const { overruns } of this.#taps.values()) sum += overruns;
    return sum;
  }

  has(id: TapId): boolean {
    return this.#taps.has(id);
  }

  /** Answers whose audio it takes. */
  begin(id: TapId, setting: TapSetting): readonly LegId[] {
    const tap = new Tap(setting);
    this.#taps.set(id, tap);
    return tap.legs;
  }

  /** False: there is no such tap. */
  pause(id: TapId, paused: boolean): boolean {
    const tap = this.#taps.get(id);
    if (tap !== undefined) tap.paused = paused;
    return tap !== undefined;
  }

  feed(id: TapId, leg: LegId, ring: RingMemory): boolean {
    const tap = this.#taps.get(id);
    tap?.feed(leg, ring);
    return tap !== undefined;
  }

  /** Answers whose audio it took; undefined: there is no such tap. */
  end(id: TapId): readonly LegId[] | undefined {
    const tap = this.#taps.get(id);
    this.#taps.delete(id);
    return tap?.legs;
  }

  hear(leg: LegId): boolean {
    for (const tap of this.#taps.values()) if (tap.hears(leg)) return true;
    return false;
  }

  /** Those that want the packets of this leg as they come. */
  arrivalsOf(leg: LegId): readonly ArrivalTap[] {
    return [...this.#taps.values()].flatMap((tap) => tap.arrivalsOf(leg));
  }

  write(legs: ReadonlyMap<LegId, Member>, tick: number): void {
    for (const tap of this.#taps.values()) tap.write(legs, tick);
  }
}
