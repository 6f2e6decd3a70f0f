import { FRAME_SAMPLES, type RingMemory, RingWriter, saturate } from '../../audio/index.ts';
import type { LegId, TapSetting } from '../../control/index.ts';
import { LinkReceiver } from '../packet/link-receiver.ts';
import { ArrivalTap } from './arrival-tap.ts';
import type { Member } from './conference.ts';

const SILENCE = new Int16Array(FRAME_SAMPLES);

/**
 * Copies what legs say into rings, one frame per channel and tick: silence where no leg speaks, while it is paused, and where a
 * leg is closed or not there yet. All channels of a tick are written together, so they never shift; a channel of one leg of a
 * tap `arriving` is written as its packets come.
 */
export class Tap {
  readonly #setting: TapSetting;
  readonly #rings: readonly (RingWriter | ArrivalTap)[];
  readonly #sum = new Int16Array(FRAME_SAMPLES);
  /** Legs of other workers. */
  readonly #feeds = new Map<LegId, LinkReceiver>();
  #paused = false;
  #overruns = 0;

  constructor(setting: TapSetting) {
    this.#setting = setting;
    this.#rings = setting.channels.map(({ legs, ring }) =>
      setting.of === 'arriving' && legs.length === 1 ? new ArrivalTap(ring) : new RingWriter(ring),
    );
  }

  get paused(): boolean {
    return this.#paused;
  }

  set paused(paused: boolean) {
    this.#paused = paused;
    for (const each of this.#arrivals) each.paused = paused;
  }

  get #arrivals(): readonly ArrivalTap[] {
    return this.#rings.filter((ring) => ring instanceof ArrivalTap);
  }

  /** The parts of it that want the packets of this leg. */
  arrivalsOf(leg: LegId): readonly ArrivalTap[] {
    return this.#setting.channels.flatMap(({ legs }, index) => {
      const ring = this.#rings[index];
      return ring instanceof ArrivalTap && legs.includes(leg) ? [ring] : [];
    });
  }

  get legs(): readonly LegId[] {
    return this.#setting.channels.flatMap(({ legs }) => legs);
  }

  hears(leg: LegId): boolean {
    return this.#setting.channels.some(({ legs }) => legs.includes(leg));
  }

  /** The audio of a leg of another worker, or the audio it hears, comes by this ring. */
  feed(leg: LegId, ring: RingMemory): void {
    this.#feeds.set(leg, new LinkReceiver(ring, () => true));
  }

  get wantsPrompts(): boolean {
    return this.#setting.of === 'heard';
  }

  /** Frames lost because a reader was too slow. */
  get overruns(): number {
    return this.#arrivals.reduce((sum, { dropped }) => sum + dropped, this.#overruns);
  }

  write(legs: ReadonlyMap<LegId, Member>, tick: number): void {
    for (const feed of this.#feeds.values()) feed.pull();
    for (const [index, ring] of this.#rings.entries()) {
      if (ring instanceof ArrivalTap) {
        ring.tick(tick);
        continue;
      }
      const channel = this.#setting.channels[index];
      const frame = this.paused || channel === undefined ? SILENCE : this.#frameOf(channel.legs, legs);
      if (!ring.write(frame, tick)) this.#overruns++;
    }
  }

  #frameOf(ids: readonly LegId[], legs: ReadonlyMap<LegId, Member>): Int16Array {
    let only: Int16Array | null = null;
    for (const id of ids) {
      const leg = legs.get(id);
      const voice = leg ?? this.#feeds.get(id);
      if (voice?.speaking) only = this.#with(only, voice.frame);
      if (leg?.prompting && this.wantsPrompts) only = this.#with(only, leg.prompt);
    }
    return only ?? SILENCE;
  }

  /** A single voice is written as it is; the second one begins a sum. */
  #with(before: Int16Array | null, frame: Int16Array): Int16Array {
    if (before === null) return frame;
    const sum = this.#sum;
    for (let i = 0; i < FRAME_SAMPLES; i++) sum[i] = saturate((before[i] ?? 0) + (frame[i] ?? 0));
    return sum;
  }
}
