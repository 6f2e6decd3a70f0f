import type { ToneProfile } from '../tone/index.ts';

/** The meaning of one event code; words of either list of the API. */
export interface OpenMeaning {
  readonly deviceType?: string;
  readonly statusCode?: string;
  readonly location?: string;
  readonly audio?: 'none' | 'simplex' | 'duplex';
}

export type OpenField = 'controllerId' | 'deviceId' | 'eventCode' | 'location' | 'check' | 'data';

/** A protocol of which nothing is public: the string too is the customer's to describe. */
export interface OpenProfile extends ToneProfile {
  /** Fields in the order of the string, each with its digits; absent = captured whole. */
  readonly frame?: readonly (readonly [field: OpenField, digits: number])[];
  readonly events: Readonly<Record<string, OpenMeaning>>;
}

/** Empty: everything is captured, nothing is asked and nothing is acknowledged until a customer fills it in. */
export const RB2000_PROFILE: OpenProfile = {
  trigger: { send: [], waitBeforeMs: 0, repeatEveryMs: 1000, max: 0 },
  collect: {
    start: '',
    end: '',
    alphabet: '0123456789ABCD*#',
    interDigitMs: 600,
    maxToneMs: 2500,
    overallMs: 25_000,
    quietAfterBadMs: 10_000,
  },
  check: { policy: 'ignore', method: 'none', maxRejects: 3 },
  ack: [],
  settleMs: 0,
  events: {},
};
