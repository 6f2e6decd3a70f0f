/** How a callee takes an alarm: by the key 1, or by the answer to the call. */
export type AcceptBy = 'key' | 'answer';

/** One destination of a list. */
export interface CallEntry {
  /** SIP address or number. */
  readonly destination: string;
  /** How long it may ring, ms. */
  readonly ringMs: number;
  readonly accept: AcceptBy;
  /** Digits that open a door; absent: this person opens none. */
  readonly pin?: string;
  /** Language of the sentences (BCP 47); absent: that of the list. */
  readonly language?: string;
}

/** The people who are called for an alarm. Plain JSON. */
export interface CallPlan {
  /** Steps follow each other; the entries of one step ring at once. Never empty, and no step is. */
  readonly steps: readonly (readonly CallEntry[])[];
  /** How often the list is called from its first step. */
  readonly rounds: number;
  /** Time between two rounds, ms. */
  readonly pauseMs: number;
  /** No call begins after this time, ms. */
  readonly longestMs: number;
}

/** Time to accept after the answer, ms. The next step begins behind it, and the call goes on. */
export const ACCEPT_MS = 20_000;

/** `Chosen:` a callee hears how to accept this often; then a line without a decision is hung up. */
export const ACCEPT_WINDOWS = 3;

/** Time in which a command of the application ends an alarm whose person has hung up, ms. */
export const HAND_BACK_MS = 10_000;

/** `Chosen:` after a restart a list has at least this time, whatever it has used: every person can be called once. */
export const AFTER_RESTART_MS = 300_000;

/** `Chosen:` so long the alarm queue of the control plane may take an alarm from this host, ms. A person who leaves begins it again. */
export const QUEUE_MS = 1_800_000;

/** `Chosen:` an entry with so many wrong PINs opens no door any more in this alarm. */
export const MOST_WRONG_PINS = 3;
