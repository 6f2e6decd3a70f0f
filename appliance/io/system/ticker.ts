/** Calls `work` every `everyMs` until stopped. A call that throws is reported and the next one still comes. */
export function startTicker(
  everyMs: number,
  work: () => void,
  onDefect: (cause: unknown) => void,
): () => void {
  const timer = setInterval(() => {
    try {
      work();
    } catch (cause) {
      onDefect(cause);
    }
  }, everyMs);
  return () => clearInterval(timer);
}

/** Fires once unless the function it returns is called before; the process does not stay alive for it. */
export function startTimer(delayMs: number, fire: () => void): () => void {
  const timer = setTimeout(fire, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
}
