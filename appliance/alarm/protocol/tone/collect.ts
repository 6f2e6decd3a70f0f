import type { ReceivedTone } from './tone.ts';

/** In-band hits this close to an RFC 4733 event are the same key (leak of the gateway). */
const LEAK_MS = 100;
/** Equal digits closer than this are one digit that was torn. */
const TORN_MS = 30;

/**
 * `Chosen:` pauses that are counted here end a string only so much later, ms. The media engine reports digits when it has heard
 * them, and on a busy machine that is late: two of them may seem further apart than they were. A string that was cut in two is
 * said again 600 ms later at the earliest, and one that was cut before a digit too many would be another unit's. The media
 * engine reports most pauses sooner (`pause`).
 */
export const LATE_MS = 150;

/**
 * One more digit on the way to a string: a digit that was heard twice, in the audio and as an event, counts once,
 * and a torn digit is joined.
 */
export function collect(tones: readonly ReceivedTone[], tone: ReceivedTone): readonly ReceivedTone[] {
  const last = tones.at(-1);
  if (last === undefined) return [tone];
  const gapMs = tone.startMs - (last.startMs + last.ms);
  if (last.source !== tone.source && gapMs < LEAK_MS) {
    // The event says what was pressed; the audio is its echo.
    return tone.source === '2833' ? [...tones.slice(0, -1), tone] : tones;
  }
  // Between sequential tones lie 5 ms: only the time that passed separates equal ones.
  const isTorn = last.source === tone.source && last.digit === tone.digit && gapMs < TORN_MS;
  if (isTorn && tone.stmf === undefined) {
    const ms = tone.startMs + tone.ms - last.startMs;
    return [...tones.slice(0, -1), { ...last, ms: Math.max(ms, last.ms) }];
  }
  return [...tones, tone];
}

export const lineOf = (tones: readonly ReceivedTone[]): string => tones.map(({ digit }) => digit).join('');

/** The longest pause between two symbols, ms. */
export const longestPauseMs = (tones: readonly ReceivedTone[]): number =>
  tones.reduce((longest, { startMs }, place) => {
    const before = tones[place - 1];
    return before === undefined ? longest : Math.max(longest, startMs - before.startMs - before.ms);
  }, 0);
