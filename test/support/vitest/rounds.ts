/** The first with every change, the second by `.ci/run --long`. */
export const bySize = <T>(everyChange: T, long: T): T =>
  process.env.TEST_LONG === undefined ? everyChange : long;

/**
 * Rounds of a test whose inputs come from a seed: so many with every change, so many by `.ci/run --long`, or as many as
 * `FUZZ_ROUNDS` says.
 */
export const rounds = (everyChange: number, long: number): number =>
  Number(process.env.FUZZ_ROUNDS ?? bySize(everyChange, long));
