import type { Leg } from './leg/leg.ts';
import { latenessBucket } from './load/lateness.ts';
import { SLICES } from './schedule.ts';

/**
 * Which leg is worked in which of the four slices.
 *
 * A leg that is to be together with another changes its slice after its turn, so that it has each tick exactly once: in
 * a later slice of the same tick it waits. A leg whose work throws has a defect; it leaves, the others go on.
 */
export class SliceTable {
  readonly #parts: readonly Leg[][] = Array.from({ length: SLICES }, () => []);
  readonly #failed: (leg: Leg, cause: unknown) => void;

  constructor(failed: (leg: Leg, cause: unknown) => void) {
    this.#failed = failed;
  }

  /** The slice with the fewest legs. */
  get emptiest(): number {
    const sizes = this.#parts.map(({ length }) => length);
    return sizes.indexOf(Math.min(...sizes));
  }

  add(leg: Leg): void {
    this.#parts[leg.part]?.push(leg);
  }

  remove(leg: Leg): void {
    const legs = this.#parts[leg.part];
    const index = legs?.indexOf(leg) ?? -1;
    if (index >= 0) legs?.splice(index, 1);
  }

  /** First step of all legs of a slice. */
  hear(part: number, tick: number, nowMs: number, latenessMs: number): void {
    const legs = this.#parts[part] ?? [];
    const bucket = latenessBucket(latenessMs);
    for (let index = legs.length - 1; index >= 0; index--) {
      const leg = legs[index];
      if (leg === undefined) continue;
      try {
        leg.waits = !leg.hear(tick, nowMs);
        if (!leg.waits) leg.worked(bucket, latenessMs);
      } catch (cause) {
        this.#failed(leg, cause);
      }
    }
  }

  /** Last step; who monitors hears what was played to the others, so it comes last. */
  speak(part: number, nowMs: number): void {
    if (this.#speak(part, nowMs, false)) this.#speak(part, nowMs, true);
    this.#move(part);
  }

  /** True when there are some of the other sort. */
  #speak(part: number, nowMs: number, monitors: boolean): boolean {
    const legs = this.#parts[part] ?? [];
    let others = false;
    for (let index = legs.length - 1; index >= 0; index--) {
      const leg = legs[index];
      if (leg === undefined || leg.waits) continue;
      if (leg.monitors !== monitors) {
        others = true;
        continue;
      }
      try {
        leg.speak(nowMs);
      } catch (cause) {
        this.#failed(leg, cause);
      }
    }
    return others;
  }

  /** So many ticks of every leg are left out. */
  leap(ticks: number): void {
    for (const legs of this.#parts)
      for (let index = legs.length - 1; index >= 0; index--) {
        const leg = legs[index];
        try {
          leg?.leap(ticks);
        } catch (cause) {
          if (leg !== undefined) this.#failed(leg, cause);
        }
      }
  }

  #move(part: number): void {
    const legs = this.#parts[part] ?? [];
    for (let index = legs.length - 1; index >= 0; index--) {
      const leg = legs[index];
      if (leg === undefined || leg.wantedPart === leg.part) continue;
      legs.splice(index, 1);
      leg.part = leg.wantedPart;
      this.add(leg);
    }
  }
}
