/** Runs once after `ms`; the returned function takes it back. */
export function once(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/**
 * Rounds that never overlap. One that is asked for while another is under way is left out: what comes by the clock comes again, and
 * whoever is slow gets a rest. `meanwhile: 'one more'`: it is one more round behind it, however often it was asked for.
 */
export function oneAtATime(
  round: () => Promise<unknown>,
  onFailure: (cause: unknown) => void,
  meanwhile: 'left out' | 'one more' = 'left out',
): () => void {
  let busy = false;
  let again = false;
  const run = (): void => {
    again = busy && meanwhile === 'one more';
    if (busy) return;
    busy = true;
    round()
      .catch(onFailure)
      .finally(() => {
        busy = false;
        if (again) run();
      });
  };
  return run;
}

/** One timer for many requests: runs at the earliest moment that was asked for, and then waits for the next request. */
export function earliest(run: () => void): {
  readonly within: (ms: number) => void;
  readonly end: () => void;
} {
  let timer: NodeJS.Timeout | undefined;
  let atMs = Number.POSITIVE_INFINITY;
  const end = (): void => {
    clearTimeout(timer);
    atMs = Number.POSITIVE_INFINITY;
  };
  return {
    within: (ms) => {
      const wantedMs = performance.now() + ms;
      if (wantedMs >= atMs) return;
      end();
      atMs = wantedMs;
      timer = setTimeout(() => {
        atMs = Number.POSITIVE_INFINITY;
        run();
      }, ms);
    },
    end,
  };
}
