/**
 * Runs again and again, once in each `ms`, at the multiples of `ms` on the clock of the process: all repetitions of the same length
 * share their moments, so that an idle process wakes once for all of its looks and not once for each. The first run comes after half a
 * period at the earliest and after one and a half at the latest. `run` hears how many ms late it is. The returned function ends it.
 *
 * `isBackground`: the process may end while it waits.
 */
export function every(
  ms: number,
  run: (lateMs: number) => void,
  { isBackground = false }: { readonly isBackground?: boolean } = {},
): () => void {
  let timer: NodeJS.Timeout;
  const arm = (nowMs: number): void => {
    // Rounded: a timer that fires just before its moment waits for the next one, and not for the rest of this one.
    const dueMs = (Math.round(nowMs / ms) + 1) * ms;
    timer = setTimeout(
      () => {
        const firedMs = performance.now();
        arm(firedMs);
        run(Math.max(firedMs - dueMs, 0));
      },
      Math.ceil(dueMs - nowMs),
    );
    if (isBackground) timer.unref();
  };
  arm(performance.now());
  return () => clearTimeout(timer);
}
