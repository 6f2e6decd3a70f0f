/** Requests to one server, repeated by connections that are kept open. */
export interface HttpTarget {
  readonly port: number;
  readonly method: 'GET' | 'PUT';
  /** `#` stands for the id of the request: `device-0` to `device-<ids - 1>`, shuffled by a fixed rule; `@` for the token behind it, `%` for a number that counts up. */
  readonly path: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ids: number;
}

export interface HttpLoadAsk {
  readonly target: HttpTarget;
  readonly connections: number;
  readonly ms: number;
}

export interface HttpLoadAnswer {
  /** Answered 200 within the time. */
  readonly done: number;
  readonly perSecond: number;
  /** Answers that were not 200. */
  readonly refused: number;
  /** ms, ascending. */
  readonly latencies: readonly number[];
}

export const httpLoadProcess = new URL('./http-load.ts', import.meta.url);
