/**
 * Processor time of this thread so far, ms, to the microsecond. `getrusage` for a thread gives the time that the kernel noted at its
 * last tick, up to 4 ms ago (250 Hz). A look at the whole process brings the thread that looks up to date first (Linux,
 * kernel/sched/cputime.c, `thread_group_cputime`).
 */
export function threadMs(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Processor time of this thread while `run` runs, ms. */
export function threadMsOf(run: () => unknown): number {
  const before = threadMs();
  run();
  return threadMs() - before;
}
