/** One entry of `restAuthentication` (document 1, 2.2). */
export interface RestAuthentication {
  readonly sub?: string | undefined;
  readonly scope?: string | undefined;
  /** PKCS#8 PEM, or the shared secret for HS256. */
  readonly secret?: string | undefined;
  /** RS256, RS512, ES256, EdDSA or HS256 (decisions 4.1). */
  readonly type?: string | undefined;
  readonly requestHeaders?: Readonly<Record<string, string>> | undefined;
}

/** Where a tenant wants its callbacks, as configured at the moment of sending. */
export interface CallbackTarget {
  /** The tenant: claim `iss`. */
  readonly domain: string;
  /** callbackBaseUrl, or the complete alarmEventsRestEndpoint. */
  readonly url: string;
  readonly restAuthentication: readonly RestAuthentication[];
  /** callbackTimeout. */
  readonly timeoutMs: number;
  /** Kind of the receiver, for figures: `bridge`, `platform`, `message` … */
  readonly destClass?: string;
}

/** One callback as composed from an event: what the body of its outbox row keeps, and nothing secret. */
export interface CallbackCall {
  /** It gives way to all others of its destination. Comes first, see `YIELDING_PREFIX` of the outbox. */
  readonly givesWay?: true;
  readonly traceId: string;
  /** Appended to the base URL; empty = the URL is complete. */
  readonly path: string;
  /** Extra headers that the event map asks for. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
  /** X-Event-Seq: order of the events of one session, from 1. */
  readonly eventSeq: number;
  /** `custom`: an event map wrote the body, and nothing may be added to it. */
  readonly shape: 'default' | 'custom';
  /** Idempotency-Key where it is not the id of the row: the cloud may tell the same, with the same key. */
  readonly key?: string;
}

/** The fields that identify this delivery to the receiver. */
export interface Delivery {
  /** Idempotency-Key: id of the outbox row. */
  readonly id: string;
  /** X-Delivery-Attempt, from 1. */
  readonly attempt: number;
  /** Credential to begin with (`authIdx`); it comes round to the ones before it. */
  readonly firstCredential: number;
  /** The live request had failed: the default shape says `late: true`. */
  readonly late: boolean;
  /** Resolves when this request may start; it is signed before. Absent: at once. */
  readonly inTurn?: () => Promise<void>;
}

/** End of a chain: an answer, whatever its status, or the reason why there is none. */
export type ChainOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: string;
      readonly credential: number;
      readonly retryAfterS?: number;
    }
  | { readonly kind: 'failed'; readonly code: string; readonly reason: string };
