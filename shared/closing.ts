/** Something that ends with the program: a listener, a timer, a database. */
export type ClosingStep = () => unknown;

export interface ClosingPort {
  /** All steps together may take so long, ms; after it each one that is left gets `LAST_MS`. */
  readonly limitMs: number;
  /** One step may take so long, ms. */
  readonly stepMs: number;
  readonly monoMs: () => number;
  /** Calls `fire` after `ms`; the result takes it back. */
  readonly startTimer: (ms: number, fire: () => void) => () => void;
  /** Hears of a step that failed, and of one that was left behind. */
  readonly report: (held: HeldStep) => void;
}

export interface HeldStep {
  readonly kind: 'failed' | 'late';
  /** The name of the step, or its source text. */
  readonly step: string;
  readonly reason: string;
}

/** For each step after the time is spent: a database still closes in it, and a dead connection does not hold the end. */
const LAST_MS = 200;
const SHOWN = 80;

/**
 * Runs the steps, last first. A step that fails or does not end is reported and left behind, because the steps before it
 * hold locks, files and ports that the next run of the program needs.
 */
export async function closeInTurn(steps: readonly ClosingStep[], port: ClosingPort): Promise<void> {
  const endMs = port.monoMs() + port.limitMs;
  for (const step of steps.toReversed()) {
    const leftMs = Math.max(LAST_MS, Math.min(port.stepMs, endMs - port.monoMs()));
    const held = await outcomeOf(step, leftMs, port);
    if (held !== undefined) port.report({ ...held, step: nameOf(step) });
  }
}

function outcomeOf(
  step: ClosingStep,
  leftMs: number,
  { startTimer }: ClosingPort,
): Promise<Omit<HeldStep, 'step'> | undefined> {
  return new Promise((resolve) => {
    const stop = startTimer(leftMs, () =>
      resolve({ kind: 'late', reason: `did not end within ${Math.round(leftMs)} ms` }),
    );
    Promise.resolve()
      .then(step)
      .then(
        () => resolve(undefined),
        (cause: unknown) =>
          resolve({ kind: 'failed', reason: cause instanceof Error ? cause.message : String(cause) }),
      )
      .finally(stop);
  });
}

/** Most steps are functions without a name, and their text names what they close. */
const nameOf = (step: ClosingStep): string =>
  step.name === '' ? step.toString().replace(/\s+/g, ' ').slice(0, SHOWN) : step.name;
