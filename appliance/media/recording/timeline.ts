import { FRAME_MS, FRAME_SAMPLES, type RingReader } from '../audio/index.ts';

/** Chosen: frames the other channels may be ahead before a channel without sound is taken for silent: 500 ms. */
const GRACE_FRAMES = 25;

interface Channel {
  readonly ring: Pick<RingReader, 'read' | 'waiting' | 'overruns'>;
  /** The oldest frame of the ring that has no place yet. */
  readonly frame: Int16Array;
  tick: number | undefined;
  begun: boolean;
}

/**
 * The time axis of one recording: ticks of the connection. Frames that come by ring, each with its tick, are laid out
 * side by side; whatever is missing is silence, so that channels stay aligned and the length is that of the call.
 *
 * ```
 *   ring A   t0 t1 t2 -- -- t5 t6        hole: frames were lost, `lostFrames` counts them
 *   ring B   -- -- t2 t3 t4 t5 t6        begins later: silence in front
 *   out      t0 t1 t2 t3 t4 t5 t6        one call of `next` each
 * ```
 * The rings are the only buffer: of each channel one frame is looked at ahead. A channel that gives nothing is waited for
 * until another is `graceFrames` ahead.
 */
export class Timeline {
  readonly #channels: readonly Channel[];
  readonly #graceFrames: number;
  #start: number | undefined;
  #frames = 0;
  #lost = 0;
  #paused = false;

  constructor(rings: readonly Channel['ring'][], graceFrames = GRACE_FRAMES) {
    this.#graceFrames = graceFrames;
    this.#channels = rings.map((ring) => ({
      ring,
      frame: new Int16Array(FRAME_SAMPLES),
      tick: undefined,
      begun: false,
    }));
  }

  /** Length so far, ms; also where a marker set now stands. */
  get lengthMs(): number {
    return this.#frames * FRAME_MS;
  }

  /** Samples of each channel so far. */
  get samples(): number {
    return this.#frames * FRAME_SAMPLES;
  }

  /** Frames that are silence although there was sound, or that came after their place was given out. */
  get lostFrames(): number {
    return this.#lost;
  }

  /** Whether anything that was said is missing. */
  get degraded(): boolean {
    return this.#lost > 0 || this.#channels.some(({ ring }) => ring.overruns > 0);
  }

  /** From the next frame on everything is silence, until `resume`. Take what is there first. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
  }

  /** Where a tick stands, ms from the beginning; for digits and other events of the call. */
  offsetMs(tick: number): number {
    return Math.max(0, tick - (this.#start ?? tick)) * FRAME_MS;
  }

  /**
   * Fills the next frame of every channel, 160 samples each; false when it is not complete yet.
   *
   * @param ending nothing more will come: whoever has nothing is silent
   */
  next(out: readonly Int16Array[], ending = false): boolean {
    const place = this.#start === undefined ? undefined : this.#start + this.#frames;
    for (const channel of this.#channels) this.#look(channel, place);
    const waiting = this.#channels.filter(({ tick }) => tick !== undefined);
    if (waiting.length === 0) return false;
    const complete = waiting.length === this.#channels.length;
    if (!complete && !ending && !waiting.some(({ ring }) => ring.waiting >= this.#graceFrames)) return false;
    this.#start ??= Math.min(...waiting.map(({ tick }) => tick ?? Number.POSITIVE_INFINITY));
    const now = this.#start + this.#frames;
    for (const [index, channel] of this.#channels.entries()) {
      const target = out[index];
      if (target !== undefined) this.#give(channel, now, target);
    }
    this.#frames++;
    return true;
  }

  #look(channel: Channel, place: number | undefined): void {
    while (channel.tick === undefined) {
      channel.tick = channel.ring.read(channel.frame);
      if (channel.tick === undefined) return;
      if (place === undefined || channel.tick >= place) return;
      channel.tick = undefined;
      this.#lost++;
    }
  }

  #give(channel: Channel, now: number, target: Int16Array): void {
    const here = channel.tick === now;
    if (here && !this.#paused) target.set(channel.frame);
    else target.fill(0);
    if (here) {
      channel.tick = undefined;
      channel.begun = true;
    } else if (channel.begun && channel.tick !== undefined) this.#lost++;
  }
}
