import type { SentCheck, StringSendSetting, ToneProfile } from '../tone/index.ts';

/** Tones of BS 8521-1 (profile kind `tone`, name `bs8521`). */
export interface Bs8521Profile extends ToneProfile {
  /** Length of the request to a group scheme, ms. */
  readonly groupRequestMs: number;
  /** Reading the tones of the other side by their length. */
  readonly classify: { readonly longAMinMs: number; readonly dataRequestBMinMs: number };
  readonly commands: {
    readonly onMs: number;
    readonly offMs: number;
    readonly longAMs: number;
    /** Chosen: 900 ms, since the windows of the standard assume a round trip up to 300 ms. */
    readonly ackWaitMs: number;
    readonly max: number;
    readonly afterClearDownWaitMs: number;
  };
  /** Null command, and the time without any after which either side hangs up. */
  readonly keepAlive: { readonly everyMs: number; readonly lossMs: number };
  /** In the role of the device. */
  readonly sender: StringSendSetting;
  /** An alarm without speech says so in its status (02, 03); absent = only in its speech type. */
  readonly nonSpeechStatus?: boolean;
  /** How check digits of what we send are made; absent = 00. */
  readonly sentCheck?: SentCheck;
}

/** Guesses until a device has shown them: check.method, the enquiry tone, collect.quietAfterBadMs. */
export const BS8521_PROFILE: Bs8521Profile = {
  enquiry: { hz: 1850, minMs: 150 },
  trigger: { send: [{ digit: 'B', ms: 600 }], waitBeforeMs: 0, repeatEveryMs: 1600, max: 4 },
  groupRequestMs: 1000,
  collect: {
    start: 'A',
    end: '#',
    alphabet: '0123456789',
    interDigitMs: 230,
    fullWaitMs: 110,
    maxToneMs: 2500,
    overallMs: 25_000,
    quietAfterBadMs: 10_000,
  },
  check: { policy: 'learn', method: 'none', maxRejects: 3 },
  ack: [{ digit: 'B', ms: 80 }],
  settleMs: 80,
  classify: { longAMinMs: 200, dataRequestBMinMs: 500 },
  commands: { onMs: 80, offMs: 80, longAMs: 250, ackWaitMs: 900, max: 4, afterClearDownWaitMs: 10_000 },
  keepAlive: { everyMs: 50_000, lossMs: 130_000 },
  sender: {
    enquiry: { hz: 1850, ms: 250, everyMs: 3000 },
    requestWaitMs: 30_000,
    delayMs: 80,
    onMs: 80,
    offMs: 80,
    ackWaitMs: 900,
    resendMs: 1600,
    tries: 4,
  },
};
