import {
  type SentCheck,
  STMF_TIMES,
  type StringSendSetting,
  type Tone,
  type ToneProfile,
} from '../tone/index.ts';

/** Tones of TT92 and TTNEW (profile kind `tone`). */
export interface TtProfile extends ToneProfile {
  readonly commands: {
    readonly shortMs: number;
    readonly longMs: number;
    readonly clearDownMs: number;
    /** In which a unit echoes 701 and 702. */
    readonly echoWaitMs: number;
    /** In which a unit hangs up after clear-down. */
    readonly releaseWaitMs: readonly [number, number];
  };
  /** A scheme, whose waiting units are asked for one by one. */
  readonly group: {
    /** After the acknowledge of its frame, until the first group of 8; and from one to the next. */
    readonly firstWaitMs: number;
    readonly nextWaitMs: number;
    /** For the answer to select and clear, and how often they are said. */
    readonly answerWaitMs: number;
    readonly tries: number;
  };
  /**
   * Tones that ask a unit in both, for `dataRequestType` combined: sequential tones first. Absent = the protocol has
   * none.
   */
  readonly combined?: readonly Tone[];
  /** In the role of the unit; all guesses. */
  readonly sender: TtSenderSetting;
  /** How check digits of what we send are made; absent = 00. */
  readonly sentCheck?: SentCheck;
}

export interface TtSenderSetting extends StringSendSetting {
  /**
   * Whether a frame goes out in sequential tones. `whenAsked`: where the centre asks in nothing else; where it asks in both, in the
   * second try and the fourth. `always`: whatever it asks in. `never`: nor are they listened for.
   */
  readonly sequential: 'whenAsked' | 'always' | 'never';
}

const SENDER: TtSenderSetting = {
  requestWaitMs: 30_000,
  delayMs: 80,
  onMs: 80,
  offMs: 80,
  ackWaitMs: 2000,
  resendMs: 2000,
  tries: 4,
  sequential: 'never',
};

const pair = (digits: string): readonly Tone[] => [{ digits, onMs: 80, offMs: 80 }];

/** A frame has no end sign, and without a check method a digit too many would make another unit of it: the whole pause is waited for. */
const COLLECT: ToneProfile['collect'] = {
  start: 'D#',
  end: '',
  alphabet: '0123456789ABCD*#',
  interDigitMs: 230,
  maxToneMs: 2500,
  overallMs: 25_000,
  quietAfterBadMs: 10_000,
};

/** The method of the check digits is not public: a customer who has a table sets it. */
const CHECK: ToneProfile['check'] = { policy: 'learn', method: 'table', maxRejects: 3 };

const COMMANDS: TtProfile['commands'] = {
  shortMs: 80,
  longMs: 500,
  clearDownMs: 2000,
  echoWaitMs: 1500,
  releaseWaitMs: [1500, 5000],
};

/** Chosen: all but the first, which is known. */
const GROUP: TtProfile['group'] = { firstWaitMs: 3500, nextWaitMs: 1000, answerWaitMs: 2000, tries: 4 };

/** `dataRequestType` combined: the request in sequential tones first, for units that hear only those. */
export const TT92_COMBINED: readonly Tone[] = [{ stmf: true, digits: '0' }, ...pair('0#')];

export const TTNEW_PROFILE: TtProfile = {
  trigger: { send: pair('DB'), waitBeforeMs: 0, repeatEveryMs: 900, max: 2 },
  collect: COLLECT,
  check: CHECK,
  ack: pair('DB'),
  settleMs: 1000,
  commands: COMMANDS,
  group: GROUP,
  sender: SENDER,
};

export const TT92_PROFILE: TtProfile = {
  trigger: { send: pair('0#'), waitBeforeMs: 0, repeatEveryMs: 1300, max: 2 },
  collect: COLLECT,
  combined: TT92_COMBINED,
  stmf: STMF_TIMES,
  check: CHECK,
  ack: pair('B0'),
  settleMs: 680,
  commands: COMMANDS,
  group: GROUP,
  sender: { ...SENDER, sequential: 'whenAsked' },
};
