/** Calls `work` every `everyMs` until stopped. A call that throws is reported and the next one still comes. */
export function startTicker(everyMs: number, work: () => void, onDefect: (cause: unknown) => void): () => void {
  const timer = setInterval(() => {
    try {
      work();
    } catch (cause) {
      onDefect(cause);
    }
  }, everyMs);
  return () => clearInterval(timer);
}
