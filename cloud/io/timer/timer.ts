import { every } from '#shared/timer/index.ts';

/** Chosen: the end of the program waits so long for a round, ms. It is done again behind the next start, as after a power cut. */
const END_MS = 300;

/** Runs once after `ms`; the returned function takes it back. */
export function once(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/** Asks for a round. */
export interface Rounds {
  (): void;
  /** No round begins any more. Resolves when the one that runs is over, after 300 ms at the latest; a failure behind that is not reported. */
  readonly end: () => Promise<void>;
}

/**
 * Rounds that never overlap. One that is asked for while another runs is left out: what comes by the clock comes again, and
 * whoever is slow gets a rest. `meanwhile: 'one more'`: it is one more round behind it, however often it was asked for.
 */
export function oneAtATime(
  round: () => Promise<unknown>,
  onFailure: (cause: unknown) => void,
  meanwhile: 'left out' | 'one more' = 'left out',
): Rounds {
  let running: Promise<void> | undefined;
  let again = false;
  let hasEnded = false;
  let isLeft = false;
  const run = (): void => {
    again = running !== undefined && meanwhile === 'one more';
    if (running !== undefined || hasEnded) return;
    running = round()
      .then(
        () => undefined,
        (cause: unknown) => isLeft || onFailure(cause),
      )
      .then(() => {
        running = undefined;
        if (again) run();
      });
  };
  const end = async (): Promise<void> => {
    hasEnded = true;
    let stop = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      stop = once(END_MS, resolve);
    });
    await Promise.race([running, late]);
    stop();
    isLeft = true;
  };
  return Object.assign(run, { end });
}

/** Asks for a round each `ms`. The returned function ends that and the round: nothing of it meets a database that is closed already. */
export function repeat(ms: number, rounds: Rounds): () => Promise<void> {
  const stop = every(ms, rounds);
  return async () => {
    stop();
    await rounds.end();
  };
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
