import { createStore } from './store.ts';

/** Differences below are the way of the answer and the whole seconds of its header, ms. */
const NOTED_MS = 5_000;

/** By how much the clock of the control plane is ahead of that of the browser, ms; 0: they agree, or nothing was heard. */
export const clockOffsetMs = createStore(0);

/** Now by the clock of the control plane, epoch ms: ages and ranges of times are right in a browser whose clock is wrong. */
export const serverNow = (): number => Date.now() + clockOffsetMs.value;

/** The offset by the header `Date` of an answer that was asked for and received at these moments of the browser, epoch ms. */
export function offsetOf(date: string | null, askedMs: number, receivedMs: number): number | undefined {
  const said = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(said)) return undefined;
  const offset = said + 500 - (askedMs + receivedMs) / 2;
  return Math.abs(offset) < NOTED_MS ? 0 : Math.round(offset);
}

/** Follows the clock of the control plane; a small change is the way of the answer. */
export function followClock(date: string | null, askedMs: number, receivedMs: number): void {
  const offset = offsetOf(date, askedMs, receivedMs);
  if (offset !== undefined && Math.abs(offset - clockOffsetMs.value) >= NOTED_MS)
    clockOffsetMs.value = offset;
}
