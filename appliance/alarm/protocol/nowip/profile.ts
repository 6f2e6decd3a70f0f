/** How NOW-IP is read and written (profile kind `xml`, name `nowip`). Guesses: content type, version, time, mac. */
export interface NowIpProfile {
  readonly contentType: string;
  /** `*` takes any content type whose body has root ATM. */
  readonly contentTypesAccepted: readonly string[];
  /** Text of `version` and `mac` in what we begin; answers mirror those of the request. */
  readonly version: string;
  readonly mac: string;
  /** Stands for no data: some controllers fail on an empty element. */
  readonly emptyText: string;
  /** How long a controller waits for type A: later none is sent, the repeat gets it. */
  readonly ackWithinMs: number;
  /** The same message of a call is acknowledged again, without an event, for this long. */
  readonly dedupeMs: number;
  /** The MESSAGE follows the INVITE within this time, in either order. */
  readonly messageAfterInviteMs: number;
  /** We hang up when the device has not, this long after clear-down. */
  readonly byeAfterCloseMs: number;
  /** Data of the command keepAlive; absent: the protocol has none. */
  readonly keepAlive?: string;
  /** Waits for the answer to a command. */
  readonly waitMs: {
    readonly quick: number;
    readonly select: number;
    readonly next: number;
    readonly parameter: number;
  };
  /** In the role of the controller: wait for type A, tries, and what `busy` is followed by. */
  readonly sender: {
    readonly ackWaitMs: number;
    readonly tries: number;
    readonly busyRetryMs: number;
    readonly busyTries: number;
  };
}

export const NOWIP_PROFILE: NowIpProfile = Object.freeze({
  contentType: 'application/xml',
  contentTypesAccepted: Object.freeze(['*']),
  version: '1',
  mac: '00:00:00:00:00:00',
  emptyText: '.',
  ackWithinMs: 3000,
  dedupeMs: 120_000,
  messageAfterInviteMs: 6000,
  byeAfterCloseMs: 5000,
  waitMs: Object.freeze({ quick: 3000, select: 2000, next: 5000, parameter: 1000 }),
  sender: Object.freeze({ ackWaitMs: 3000, tries: 3, busyRetryMs: 1000, busyTries: 3 }),
});
