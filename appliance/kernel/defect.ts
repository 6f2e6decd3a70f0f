interface SessionIds {
  readonly traceId: string;
  readonly recordId?: string | undefined;
}

/** Sessions in whose work a defect showed. */
const SESSION_OF = new WeakMap<Error, SessionIds>();

/** A defect as the log shows it: with its way, where it has one. */
export const describeDefect = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);

/** The defect with the ids of the session in whose work it showed; the innermost session counts. */
export function namedDefect(cause: unknown, { traceId, recordId }: SessionIds): Error {
  const defect = cause instanceof Error ? cause : new Error(String(cause));
  if (!SESSION_OF.has(defect))
    SESSION_OF.set(defect, { traceId, ...(recordId !== undefined && { recordId }) });
  return defect;
}

/** A defect as the detail of a line of the log: its way, and the ids of its session. */
export const defectDetail = (cause: unknown): { readonly cause: string } & Partial<SessionIds> => ({
  cause: describeDefect(cause),
  ...(cause instanceof Error && SESSION_OF.get(cause)),
});

/** Work for a session that is looked up when its turn comes; a defect in it names the session. */
export const ofSession =
  <Known extends { readonly trace: SessionIds }>(
    find: () => Known | undefined,
    work: (known: Known) => void,
  ): (() => void) =>
  () => {
    const known = find();
    if (known === undefined) return;
    try {
      work(known);
    } catch (cause) {
      throw namedDefect(cause, known.trace);
    }
  };
