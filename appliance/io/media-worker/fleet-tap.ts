import { ok } from '#shared/result.ts';
import { ringMemory } from '../../media/audio/index.ts';
import type { LegId, TapId, TapSetting } from '../../media/control/index.ts';
import type { CommandResult } from './message.ts';
import type { Slot } from './slot.ts';

type Channel = TapSetting['channels'][number];

/** The part of a tap on one worker. */
interface Part {
  readonly tap: TapId;
  readonly slot: Slot;
}

/**
 * Taps whose legs are on several workers. Ticks of all workers are of one clock, so every channel is written where its
 * legs are. Only what is a sum of legs of two workers is brought together first, by a tap with a ring of its own:
 *
 * ```
 *   channels   [a] [b] [a + c]           worker 1: tap t     [a]      [a + feed]
 *   legs       a on 1, b and c on 2      worker 2: tap t~2   [b]   c ══> feed  (tap t~c)
 * ```
 */
export class FleetTaps {
  readonly #slotOf: (leg: LegId) => Slot | undefined;
  readonly #taps = new Map<TapId, readonly Part[]>();
  /** Those that end now: who writes into the same rings next must come after them. */
  readonly #ending = new Set<Promise<unknown>>();

  constructor(slotOf: (leg: LegId) => Slot | undefined) {
    this.#slotOf = slotOf;
  }

  has(id: TapId): boolean {
    return this.#taps.has(id);
  }

  /** Undefined: none of its legs is open. */
  async begin(id: TapId, { channels, of }: TapSetting): Promise<CommandResult | undefined> {
    const home = channels.flatMap(({ legs }) => this.#slotsOf(legs)).at(0);
    if (home === undefined) return undefined;
    const parts: Part[] = [];
    this.#taps.set(id, parts);
    if (this.#ending.size > 0) await Promise.all(this.#ending);
    const placed = Map.groupBy(channels, ({ legs }) => this.#slotsOf(legs).at(0) ?? home);
    // One after the other, the first one where its first leg is: a fault of the setting is reported before anything else begins.
    for (const [slot, its] of [...placed].sort(([one]) => (one === home ? -1 : 1))) {
      const tap = slot === home ? id : `${id}~${slot.worker}`;
      parts.push({ tap, slot });
      const begun = await slot.command(['tap', tap, { channels: its, of }]);
      if (!begun.ok) {
        await this.end(id);
        return begun;
      }
      for (const leg of new Set(its.flatMap((channel) => this.#remoteLegs(channel, slot))))
        await this.#feed({ tap, slot }, leg, of, parts);
    }
    return ok(undefined);
  }

  /** Legs of a channel that are on other workers than the one which writes it. */
  #remoteLegs({ legs }: Channel, slot: Slot): readonly LegId[] {
    return legs.filter((leg) => (this.#slotOf(leg) ?? slot) !== slot);
  }

  async #feed({ tap, slot }: Part, leg: LegId, of: TapSetting['of'], parts: Part[]): Promise<void> {
    const there = this.#slotOf(leg);
    if (there === undefined) return;
    const ring = ringMemory();
    const feeding = { tap: `${tap}~${leg}`, slot: there };
    parts.push(feeding);
    const said = of === 'arriving' ? 'said' : of;
    await there.command(['tap', feeding.tap, { channels: [{ legs: [leg], ring }], of: said }]);
    await slot.command(['feed', tap, leg, ring]);
  }

  #slotsOf(legs: readonly LegId[]): readonly Slot[] {
    return legs.map((leg) => this.#slotOf(leg)).filter((slot) => slot !== undefined);
  }

  async pause(id: TapId, paused: boolean): Promise<CommandResult | undefined> {
    return await this.#tell(this.#taps.get(id), ({ tap }) => ['pauseTap', tap, paused]);
  }

  async end(id: TapId): Promise<CommandResult | undefined> {
    const parts = this.#taps.get(id);
    this.#taps.delete(id);
    const ended = this.#tell(parts, ({ tap }) => ['untap', tap]);
    this.#ending.add(ended);
    return await ended.finally(() => this.#ending.delete(ended));
  }

  /** The part of the tap there is over; the rest goes on. */
  lose(slot: Slot): void {
    for (const [id, parts] of this.#taps) {
      const left = parts.filter((part) => part.slot !== slot);
      if (left.length === 0) this.#taps.delete(id);
      else this.#taps.set(id, left);
    }
  }

  async #tell(
    parts: readonly Part[] | undefined,
    commandOf: (part: Part) => Parameters<Slot['command']>[0],
  ): Promise<CommandResult | undefined> {
    const answers = await Promise.all((parts ?? []).map((part) => part.slot.command(commandOf(part))));
    return answers.find(({ ok: good }) => !good) ?? answers[0];
  }
}
