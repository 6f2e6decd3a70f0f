import { schedule } from 'node-cron';

/** Runs `work` at the times of a cron expression (local time). A run that fails is reported, the next one still comes. */
export function atTimes(
  expression: string,
  work: () => Promise<unknown>,
  onDefect: (cause: unknown) => void,
): () => void {
  const task = schedule(expression, async () => {
    try {
      await work();
    } catch (cause) {
      onDefect(cause);
    }
  });
  return () => void task.destroy();
}
