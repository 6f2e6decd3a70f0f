/** A stream of requests to one address. */
export interface Stream {
  readonly name: string;
  readonly port: number;
  readonly domain: string;
  /** User part of the Request-URI. */
  readonly receiver: string;
  /** Devices `<prefix>0` … that take turns. */
  readonly prefix: string;
  readonly devices: number;
  /**
   * `message`: over with the 200. `alarm`, `heartbeat`: over with the answer MESSAGE, which is confirmed. `register`:
   * over with the 200 to the REGISTER that answered the challenge (digest, MD5, password `secret`). `call`: over with the
   * 200 to the BYE, or with the 487 of a call that was cancelled.
   */
  readonly kind: 'message' | 'alarm' | 'heartbeat' | 'register' | 'call';
  /** Calls that stay up until everything is drained. */
  readonly stays?: boolean;
  /** Calls that are cancelled when they ring. */
  readonly cancels?: boolean;
}

export interface LoadSetting {
  readonly streams: readonly Stream[];
}

export type LoadAsk =
  /** So many a second from now on; 0 = none. */
  | { readonly kind: 'pace'; readonly perSecond: Readonly<Record<string, number>> }
  /** Always so many under way. */
  | { readonly kind: 'keep'; readonly stream: string; readonly inFlight: number }
  /** So many and no more, at this pace; answered when all have been sent. */
  | { readonly kind: 'begin'; readonly stream: string; readonly count: number; readonly perSecond: number }
  | { readonly kind: 'count' }
  /** Sends nothing new, waits for what is under way, at most `ms`. */
  | { readonly kind: 'drain'; readonly ms: number };

export interface StreamCount {
  readonly sent: number;
  /** Answered 200. */
  readonly answered: number;
  /** Over, see `kind`. */
  readonly done: number;
  /** Any other final response. */
  readonly refused: number;
  /** Came again, or to something that was over. */
  readonly repeated: number;
  readonly inFlight: number;
  /** Sent requests since the last count: reference and `CLOCK_MONOTONIC` of the send. */
  readonly sentAt: readonly (readonly [ref: string, atNs: bigint])[];
  /** Latest that a paced request went out after its time since the last count, ms. */
  readonly latenessMs: number;
}

export type LoadAnswer = Readonly<Record<string, StreamCount>>;

export const loadProcess = new URL('./load.ts', import.meta.url);
