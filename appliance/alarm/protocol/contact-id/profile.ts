import type { ToneProfile } from '../tone/index.ts';

/** Tones of Contact ID (profile kind `tone`). Guesses: the times after the handshake. */
export interface ContactIdProfile extends ToneProfile {
  /** A quiet line this long after the last acknowledge means that the device has nothing more to say. */
  readonly idleHangUpMs: number;
}

export const CONTACT_ID_PROFILE: ContactIdProfile = {
  trigger: {
    // Handshake, 0.5 to 2 s after answering.
    send: [{ hz: 1400, ms: 100 }, { silenceMs: 100 }, { hz: 2300, ms: 100 }],
    waitBeforeMs: 1000,
    repeatEveryMs: 3000,
    max: 2,
  },
  collect: {
    start: '',
    end: '',
    alphabet: '0123456789*#ABC',
    interDigitMs: 300,
    // Chosen: the pause between digits, and 20 ms for those who make it longer.
    fullWaitMs: 70,
    maxToneMs: 2500,
    overallMs: 25_000,
    // The device waits 1.25 s for the acknowledge and tries four times.
    quietAfterBadMs: 10_000,
  },
  check: { policy: 'verify', method: 'sumMod15', maxRejects: 3 },
  // 750 to 1000 ms: "kissoff".
  ack: [{ hz: 1400, ms: 850 }],
  settleMs: 300,
  idleHangUpMs: 5000,
};
