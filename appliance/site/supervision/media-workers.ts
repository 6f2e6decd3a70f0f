/** Asks every media worker; undefined in the place of a worker that does not answer. */
export type AskWorkers = () => Promise<readonly (object | undefined)[]>;

/** @returns what is wrong; undefined: all of them answer */
export function workersFault(workers: readonly (object | undefined)[]): string | undefined {
  const gone = workers.filter((load) => load === undefined).length;
  return gone === 0 ? undefined : `${gone} of ${workers.length} media workers do not answer`;
}
