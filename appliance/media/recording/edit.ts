import { SAMPLE_RATE } from '../audio/index.ts';

/** A stretch of a recording; without an end it goes on to the end. Milliseconds from the beginning. */
export interface Stretch {
  readonly from?: number;
  readonly to?: number;
}

/** The changes that `storerecording` may ask for (document 3, 4.3: `modificationParams`). */
export interface Modification {
  /** The times are Unix timestamps in ms, not ms from the beginning. */
  readonly absoluteTimes?: boolean;
  readonly trim?: Stretch;
  readonly mask?: Stretch;
}

/** Times from the beginning, whatever was given. @param startedAtMs Unix time of the first sample */
export function relative({ absoluteTimes, trim, mask }: Modification, startedAtMs: number): Modification {
  const moved = ({ from, to }: Stretch): Stretch => ({
    ...(from === undefined ? {} : { from: from - startedAtMs }),
    ...(to === undefined ? {} : { to: to - startedAtMs }),
  });
  const shift = absoluteTimes === true ? moved : (stretch: Stretch) => stretch;
  return {
    ...(trim === undefined ? {} : { trim: shift(trim) }),
    ...(mask === undefined ? {} : { mask: shift(mask) }),
  };
}

/**
 * A copy of the samples with one stretch silent in every channel and everything outside another cut off. Both are meant
 * on the time axis of the original, so masking comes first.
 */
export function modified(
  channels: readonly Int16Array[],
  { trim, mask }: Modification,
  sampleRate = SAMPLE_RATE,
): readonly Int16Array[] {
  return channels.map((channel) => {
    const copy = channel.slice();
    if (mask !== undefined) copy.fill(0, ...bounds(mask, copy.length, sampleRate));
    return trim === undefined ? copy : copy.slice(...bounds(trim, copy.length, sampleRate));
  });
}

/** First sample and the one behind the last, inside the recording. */
function bounds({ from = 0, to }: Stretch, length: number, sampleRate: number): [number, number] {
  const sampleAt = (ms: number) => Math.min(length, Math.max(0, Math.round((ms * sampleRate) / 1_000)));
  const first = sampleAt(from);
  return [first, Math.max(first, to === undefined ? length : sampleAt(to))];
}
