import { type RingMemory, ringMemory } from '../../media/audio/index.ts';
import type { Media, TapId, TapSetting } from '../../media/control/index.ts';
import type { Channel } from './sound.ts';

/** A tap whose channels stay while who speaks on them changes: the rings go on where the tap before left them. */
export class LegTap {
  readonly rings: readonly RingMemory[];
  readonly #media: Media;
  readonly #run: (work: Promise<unknown>) => void;
  readonly #name: string;
  readonly #of: TapSetting['of'];
  #channels: readonly Channel[];
  #taps = 0;
  #tap: TapId | undefined;
  #isPaused = false;

  constructor(
    dependencies: { readonly media: Media; readonly run: (work: Promise<unknown>) => void },
    name: string,
    channels: readonly Channel[],
    of: TapSetting['of'],
  ) {
    this.#media = dependencies.media;
    this.#run = dependencies.run;
    this.#name = name;
    this.#of = of;
    this.#channels = channels;
    this.rings = channels.map(() => ringMemory());
  }

  /** Whether anybody of these is heard on it. */
  hears(legs: readonly string[]): boolean {
    return this.#channels.some((channel) => channel.some((leg) => legs.includes(leg)));
  }

  begin(): void {
    if (this.#channels.every((channel) => channel.length === 0)) return;
    this.#tap = `${this.#name}#${++this.#taps}`;
    const channels = this.#channels.flatMap((legs, index) => {
      const ring = this.rings[index];
      return ring === undefined ? [] : [{ legs, ring }];
    });
    this.#run(this.#media.tap(this.#tap, { channels, of: this.#of }));
    if (this.#isPaused) this.#run(this.#media.pauseTap(this.#tap, true));
  }

  /** Silence stands for what is said, until it is paused no longer. */
  pause(isPaused: boolean): void {
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    if (this.#tap !== undefined) this.#run(this.#media.pauseTap(this.#tap, isPaused));
  }

  change(channels: readonly Channel[]): void {
    if (JSON.stringify(channels) === JSON.stringify(this.#channels)) return;
    this.#run(this.end());
    this.#channels = this.rings.map((_, index) => channels[index] ?? []);
    this.begin();
  }

  /** Resolves when nothing is written any more. */
  async end(): Promise<void> {
    const tap = this.#tap;
    this.#tap = undefined;
    if (tap !== undefined) await this.#media.untap(tap);
  }
}
