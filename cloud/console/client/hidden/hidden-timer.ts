/*
 * Timers that go on in a hidden window. A browser lets the timers of a page that is hidden for minutes fire once a minute, which
 * would lose a taker of the alarm queue. The timers of a worker, and the messages that it sends, are not slowed down.
 */

const works = new Map<number, () => void>();
let worker: Worker | undefined;
let count = 0;

/** A browser without workers counts in the page. */
function counting(): Worker | undefined {
  if (worker !== undefined) return worker;
  try {
    worker = new Worker(new URL('./hidden-timer-worker.ts', import.meta.url), { type: 'module' });
  } catch {
    return undefined;
  }
  worker.addEventListener('message', ({ data }: MessageEvent<number>) => works.get(data)?.());
  return worker;
}

/**
 * Does `work` every `ms`, also while the window is hidden, and at once when it is shown again; returns how to end it. The page counts as
 * well: work that was done less than `ms` ago waits, so that a worker that could not be loaded costs nothing.
 */
export function everyHidden(ms: number, work: () => void): () => void {
  const id = ++count;
  let doneAt = performance.now();
  const due = (): void => {
    if (performance.now() - doneAt < ms * NEARLY) return;
    doneAt = performance.now();
    work();
  };
  const shown = (): void => {
    if (document.visibilityState !== 'visible') return;
    doneAt = performance.now();
    work();
  };
  works.set(id, due);
  counting()?.postMessage({ id, ms });
  const timer = setInterval(due, ms);
  document.addEventListener('visibilitychange', shown);
  return () => {
    works.delete(id);
    worker?.postMessage({ id, ms: 0 });
    clearInterval(timer);
    document.removeEventListener('visibilitychange', shown);
  };
}

/** Two timers of one length do not fire at the same moment. */
const NEARLY = 0.9;
