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
