import { type RingMemory, ringMemory } from '../../media/audio/index.ts';
import type { LegId, Media } from '../../media/control/index.ts';
import type { StreamVoice } from './sound.ts';

/** Frames that the ring of a leg holds: six that lie ahead, and as many that were cleared and have not been passed over yet. */
const RING_FRAMES = 16;

/**
 * The voice of a program, for the legs that hear it: a ring and a play for each. The first play is the one that recordings and
 * monitors take; those of the others are `shared`.
 */
export class LegVoice {
  readonly #media: Media;
  readonly #run: (work: Promise<unknown>) => void;
  readonly #name: string;
  readonly #over: 'mixed' | 'instead';
  #hearers: readonly LegId[];
  #plays: readonly { readonly leg: LegId; readonly play: string; readonly ring: RingMemory }[] = [];
  #count = 0;

  constructor(
    { media, run }: { readonly media: Media; readonly run: (work: Promise<unknown>) => void },
    name: string,
    { hearers, over }: StreamVoice,
  ) {
    this.#media = media;
    this.#run = run;
    this.#name = name;
    this.#over = over === 'mix' ? 'mixed' : 'instead';
    this.#hearers = hearers;
  }

  /** A ring of each leg, in their order. */
  begin(): readonly RingMemory[] {
    this.#plays = this.#hearers.map((leg) => ({
      leg,
      play: `${this.#name}#${++this.#count}`,
      ring: ringMemory(RING_FRAMES),
    }));
    for (const [index, { leg, play, ring }] of this.#plays.entries())
      this.#run(
        this.#media.play(leg, play, {
          phrases: [{ kind: 'live', ring }],
          over: this.#over,
          ...(index > 0 && { shared: true }),
        }),
      );
    return this.#plays.map(({ ring }) => ring);
  }

  /** The rings of the legs that hear it now; undefined: nothing has changed. */
  change(hearers: readonly LegId[]): readonly RingMemory[] | undefined {
    if (JSON.stringify(hearers) === JSON.stringify(this.#hearers)) return undefined;
    this.end();
    this.#hearers = hearers;
    return this.begin();
  }

  end(): void {
    for (const { leg, play } of this.#plays) this.#run(this.#media.stop(leg, play));
    this.#plays = [];
  }
}
