/** A defect as the log shows it: with its way, where it has one. */
export const describeDefect = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
