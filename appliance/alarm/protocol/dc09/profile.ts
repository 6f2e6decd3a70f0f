/** How frames are read and answered (profile kind `ip`, name `dc09`). Frozen when used. */
export interface Dc09Profile {
  /** A length that is wrong beside a right CRC: taken with a warning, taken, or silence as for a broken frame. */
  readonly lengthPolicy: 'warn' | 'ignore' | 'reject';
  /** How far the time of an encrypted frame may be ahead of our clock and behind it, seconds. */
  readonly timeWindowS: { readonly ahead: number; readonly behind: number };
  /** The same for plain frames, which anybody can write; `off` by default. */
  readonly timeWindowUnencrypted: 'off' | 'on';
  /** How long a panel waits for its answer, ms: an ACK that is later is not sent, the repeat gets it. */
  readonly ackWithinMs: number;
  /** Minutes in which the same frame of an account is no new event. */
  readonly dedupeMin: number;
  readonly supervision: {
    /** Shortest and longest interval that can be agreed, seconds. */
    readonly rangeS: readonly [number, number];
    readonly marginPct: number;
    readonly marginMinS: number;
  };
  /** In the role of the panel: time an answer may take, and tries. */
  readonly sender: { readonly ackWaitMs: number; readonly tries: number };
}

/** Chosen: a panel that has no answer says its frame again at once, or after it has waited for one (5 to 60 s). */
export const SAYS_AGAIN_MS = 60_000;

/** A sequence number that every frame may have: it cannot mark a repetition. */
export const NO_SEQUENCE = '0000';

/** How long the same frame is no new event, ms. Without a number only its retry is one, and who presses again is heard. */
export const repeatMs = (sequence: string, { dedupeMin }: Dc09Profile): number =>
  sequence === NO_SEQUENCE ? Math.min(SAYS_AGAIN_MS, dedupeMin * 60_000) : dedupeMin * 60_000;

export const DC09_PROFILE: Dc09Profile = Object.freeze({
  lengthPolicy: 'warn',
  timeWindowS: Object.freeze({ ahead: 20, behind: 40 }),
  timeWindowUnencrypted: 'off',
  // Chosen: the least that our own sender may be set to wait (5 to 60 s).
  ackWithinMs: 5_000,
  dedupeMin: 10,
  supervision: Object.freeze({ rangeS: [30, 90_000] as const, marginPct: 20, marginMinS: 30 }),
  sender: Object.freeze({ ackWaitMs: 5_000, tries: 4 }),
});

/** The built-in profile with a tenant's changes, later ones winning. */
export function dc09Profile(...changes: readonly Partial<Dc09Profile>[]): Dc09Profile {
  return Object.assign({}, DC09_PROFILE, ...changes) as Dc09Profile;
}

/** The provisioned settings of an account (`serviceData.alarmBridge.dc09` of the device, or `dc09` of the bridge). */
export interface Dc09Setting {
  /** Tenant and destination: frames of different destinations are never repeats of each other. */
  readonly scope: string;
  readonly profile: Dc09Profile;
  /** AES key of 16, 24 or 32 bytes; never kept longer than a frame waits for its answer. */
  readonly key?: Uint8Array;
  /** Replaces the window of the profile. */
  readonly timeWindowS?: Dc09Profile['timeWindowS'];
  /** Plain frames of an account with a key are refused instead of taken with a warning. */
  readonly encryptionRequired?: boolean;
  /** Data that names no event is delivered as an unknown event: the account is provisioned, and its receiver wants so. */
  readonly deliverUnreadable?: boolean;
  /** Agreed interval of frames, ms; absent = not supervised. */
  readonly supervisionIntervalMs?: number;
}

/** How long an account may be silent before it counts as offline, ms; undefined = not supervised. */
export function silenceAllowedMs({ supervisionIntervalMs, profile }: Dc09Setting): number | undefined {
  if (supervisionIntervalMs === undefined) return undefined;
  const { rangeS, marginPct, marginMinS } = profile.supervision;
  const interval = Math.min(Math.max(supervisionIntervalMs, rangeS[0] * 1000), rangeS[1] * 1000);
  return interval + Math.max((interval * marginPct) / 100, marginMinS * 1000);
}
