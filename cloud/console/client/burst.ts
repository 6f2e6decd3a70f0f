/** So long after an act what comes is a burst: it is answered by one more act at the end. */
const BURST_MS = 500;

/** Calls `act` for news at once, and once more for all that come within half a second of it. */
export function atOnceThenBursts(act: () => void): { readonly hear: () => void; readonly stop: () => void } {
  let open: ReturnType<typeof setTimeout> | undefined;
  let hasMore = false;
  const hear = (): void => {
    hasMore = open !== undefined;
    if (hasMore) return;
    open = setTimeout(end, BURST_MS);
    act();
  };
  const end = (): void => {
    open = undefined;
    if (hasMore) hear();
  };
  return { hear, stop: () => clearTimeout(open) };
}
