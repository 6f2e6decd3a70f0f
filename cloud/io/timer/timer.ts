/** Runs again and again; the returned function ends it. */
export function every(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms);
  return () => clearInterval(timer);
}

/** A round that is asked for while one is under way is left out. */
export function oneAtATime(round: () => Promise<unknown>, onFailure: (cause: unknown) => void): () => void {
  let busy = false;
  return () => {
    if (busy) return;
    busy = true;
    round()
      .catch(onFailure)
      .finally(() => {
        busy = false;
      });
  };
}

/** As `oneAtATime`, but whatever is asked for while a round is under way is one more round behind it. */
export function oneAfterAnother(
  round: () => Promise<unknown>,
  onFailure: (cause: unknown) => void,
): () => void {
  let busy = false;
  let again = false;
  const run = (): void => {
    again = busy;
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

/** One timer for many wishes: runs at the earliest moment that was asked for, and then waits for the next wish. */
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
