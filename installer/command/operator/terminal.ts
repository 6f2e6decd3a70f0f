/** The terminal that a command writes to, and its environment. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
  /** Ends what would go on until Ctrl-C. */
  readonly over?: AbortSignal;
}
