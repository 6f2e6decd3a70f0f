import { FRAME_SAMPLES, RingWriter, ringMemory } from '#appliance/media/audio/index.ts';

/** A speaker of a tone: frames of a sine, tick after tick, into a ring of its own. */
export class ToneSpeaker {
  readonly ring = ringMemory();
  readonly #writer = new RingWriter(this.ring);
  readonly #frame = new Int16Array(FRAME_SAMPLES);
  readonly #frequencyHz: number;
  readonly #amplitude: number;

  /** @param amplitude of 32,767 */
  constructor(frequencyHz: number, amplitude = 8_000) {
    this.#frequencyHz = frequencyHz;
    this.#amplitude = amplitude;
  }

  /** Frames of the ticks `from` to, but not with, `to`; the phase belongs to the tick. */
  speak(from: number, to: number): void {
    for (let tick = from; tick < to; tick++) {
      for (let i = 0; i < FRAME_SAMPLES; i++) {
        const at = (tick * FRAME_SAMPLES + i) / 8_000;
        this.#frame[i] = Math.round(this.#amplitude * Math.sin(2 * Math.PI * this.#frequencyHz * at));
      }
      this.#writer.write(this.#frame, tick);
    }
  }

  get isRead(): boolean {
    const [written, read] = new Int32Array(this.ring.indices);
    return written === read;
  }
}

/** Everybody speaks tick by tick, as fast as the rings are read. */
export async function speakTogether(
  speakers: readonly ToneSpeaker[],
  from: number,
  to: number,
): Promise<void> {
  for (let tick = from; tick < to; tick++) {
    for (const speaker of speakers) speaker.speak(tick, tick + 1);
    if ((tick - from) % 50 === 49 || tick === to - 1)
      await until(() => speakers.every(({ isRead }) => isRead));
  }
}

export async function until(condition: () => boolean, withinMs = 40_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
