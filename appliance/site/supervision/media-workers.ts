/** Asks every media worker; undefined in the place of a worker that does not answer. */
export type AskWorkers = () => Promise<readonly (object | undefined)[]>;

/** @returns what is wrong; undefined: all of them answer */
export function workersFault(workers: readonly (object | undefined)[]): string | undefined {
  const silent = workers.filter((load) => load === undefined).length;
  return silent === 0 ? undefined : `${silent} of ${workers.length} media workers do not answer`;
}
