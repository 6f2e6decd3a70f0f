/** Clocks differ by less; a session that begins further ahead of its arrival was measured by a wrong clock. */
const MOST_AHEAD_MS = 600_000;
/** No session is older than this product. */
const EARLIEST_MS = Date.UTC(2020, 0, 1);

/** When a session began, and whether that is an estimate since the clock of its host was wrong. */
export function beginOf(
  at: number,
  receivedAt: number,
): { readonly at: number; readonly estimated: boolean } {
  const isWrong = at > receivedAt + MOST_AHEAD_MS || at < EARLIEST_MS;
  return { at: isWrong ? receivedAt : at, estimated: isWrong };
}
