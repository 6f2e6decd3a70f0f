/** Fires once unless the function it returns is called before; the process does not stay alive for it. */
export function startTimer(delayMs: number, fire: () => void): () => void {
  const timer = setTimeout(fire, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
}
