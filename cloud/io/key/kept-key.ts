/** One key of the installation, as the database had it when it was read last. */
export interface KeptKey {
  readonly text: () => string;
  /** False = another process was first; `text` is then what that one wrote. */
  readonly replace: (text: string) => Promise<boolean>;
  /** Reads it again: another process may have replaced it. */
  readonly reload: () => Promise<void>;
}
