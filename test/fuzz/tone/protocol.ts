import { BS8521_PROFILE, bs8521Protocol } from '#appliance/alarm/protocol/bs8521/index.ts';
import { contactIdProtocol, encodeMessage } from '#appliance/alarm/protocol/contact-id/index.ts';
import {
  cpcProtocol,
  encodePacket,
  p100Protocol,
  TWON_PROFILE,
  twonProtocol,
} from '#appliance/alarm/protocol/lift/index.ts';
import { openToneProtocol, RB2000_PROFILE } from '#appliance/alarm/protocol/open-tone/index.ts';
import {
  changedProfile,
  makeCheck,
  type ProbeStep,
  type ToneProfileChange,
  type ToneProtocol,
} from '#appliance/alarm/protocol/tone/index.ts';
import { TTNEW_PROFILE, ttProtocol } from '#appliance/alarm/protocol/tt/index.ts';

/** A protocol as a receiver speaks it, and valid strings of its units. */
export interface Spoken {
  readonly steps: readonly ProbeStep[];
  readonly protocol: ToneProtocol;
  readonly line: (digits: (count: number) => string) => string;
  /** The profile verifies check digits. */
  readonly isChecked: boolean;
  /** Every string has one length, but for a lost start or end. */
  readonly isFixed: boolean;
}

const VERIFY: ToneProfileChange = { check: { policy: 'verify', method: 'sumHexByte', maxRejects: 3 } };
const hexSum = (checked: string): string => makeCheck('sumHexByte', checked) ?? '';

const bs8521Line: Spoken['line'] = (digits) => `A0100${digits(12)}0110000000#`;
/** The method of the sum of decimals keeps the two digits within the alphabet of the string. */
const bs8521Checked: Spoken['line'] = (digits) => {
  const checked = `0100${digits(12)}01100000`;
  return `A${checked}${makeCheck('sumMod100', checked)}#`;
};
const ttSymbols = (digits: (count: number) => string): string => `1017${digits(12)}0000`;
const ttLine: Spoken['line'] = (digits) => `D#${ttSymbols(digits)}00`;
const ttChecked: Spoken['line'] = (digits) => {
  const symbols = ttSymbols(digits);
  return `D#${symbols}${hexSum(symbols)}`;
};
const p100Line: Spoken['line'] = (digits) => {
  const packet = encodePacket('1', digits(8));
  return packet.ok ? packet.value : '';
};
const contactIdLine: Spoken['line'] = (digits) => {
  const fields = { account: digits(4), messageType: '18', qualifier: '1', event: '110', group: '01' };
  const message = encodeMessage({ ...fields, zone: digits(3) });
  return message.ok ? message.value : '';
};
const twonChecked: Spoken['line'] = (digits) => {
  const identity = `7${digits(5)}`;
  return `*1*00*${identity}*${makeCheck('luhn', `100${identity}`)}#`;
};

const alone = (
  protocol: ToneProtocol,
  line: Spoken['line'],
  rest: Pick<Spoken, 'isChecked' | 'isFixed'>,
): Spoken => ({
  steps: [{ protocol }],
  protocol,
  line,
  ...rest,
});

const CHECKED = { isChecked: true, isFixed: true } as const;
const FIXED = { isChecked: false, isFixed: true } as const;
const FREE = { isChecked: false, isFixed: false } as const;

const bs8521 = bs8521Protocol();
const verifiedBs8521 = bs8521Protocol(
  changedProfile(BS8521_PROFILE, { check: { policy: 'verify', method: 'sumMod100', maxRejects: 3 } }),
);
const openProfile = {
  ...RB2000_PROFILE,
  collect: { ...RB2000_PROFILE.collect, start: 'B', end: '#' },
  ack: [{ digit: 'B', ms: 80 }],
  frame: [
    ['controllerId', 6],
    ['eventCode', 2],
    ['check', 2],
  ],
} as const;
const open = openToneProtocol('rb2000', openProfile);
const verifiedOpen = openToneProtocol(
  'rb2000',
  changedProfile(openProfile, { check: { policy: 'verify', method: 'sumMod100' } }),
);
const openLine: Spoken['line'] = (digits) => `B${digits(6)}1100#`;
const openChecked: Spoken['line'] = (digits) => {
  const checked = `${digits(6)}11`;
  return `B${checked}${makeCheck('sumMod100', checked)}#`;
};

/** A number for all protocols, as it asks unless a customer changes that. */
const ALL: readonly ProbeStep[] = [
  bs8521,
  ttProtocol('ttnew'),
  ttProtocol('tt92'),
  contactIdProtocol(),
  p100Protocol(),
].map((protocol) => ({ protocol }));
/** CPC beside them, whose strings have neither start nor check. */
export const ALL_AND_CPC: readonly ProbeStep[] = [...ALL, { protocol: cpcProtocol(undefined, true) }];

export const SPOKEN: Readonly<Record<string, Spoken>> = {
  bs8521: alone(bs8521, bs8521Line, FIXED),
  'bs8521, verified': alone(verifiedBs8521, bs8521Checked, CHECKED),
  ttnew: alone(ttProtocol('ttnew'), ttLine, FIXED),
  'ttnew, verified': alone(ttProtocol('ttnew', changedProfile(TTNEW_PROFILE, VERIFY)), ttChecked, CHECKED),
  tt92: alone(ttProtocol('tt92'), ttLine, FIXED),
  p100: alone(p100Protocol(), p100Line, CHECKED),
  contactId: alone(contactIdProtocol(), contactIdLine, CHECKED),
  rb2000: alone(open, openLine, FIXED),
  'rb2000, verified': alone(verifiedOpen, openChecked, CHECKED),
  'twon-text': alone(twonProtocol(), twonChecked, FREE),
  'twon-text, verified': alone(
    twonProtocol(changedProfile(TWON_PROFILE, { check: { policy: 'verify', method: 'luhn' } })),
    twonChecked,
    // One digit finds nine of ten lost digits, since identities are of any length.
    FREE,
  ),
  'cpc-antenna': alone(cpcProtocol(), (digits) => `0412${digits(8)}`, FREE),
  'bs8521 among all': { ...alone(bs8521, bs8521Line, FIXED), steps: ALL },
  'ttnew among all': { ...alone(ttProtocol('ttnew'), ttLine, FIXED), steps: ALL },
  'contactId among all': { ...alone(contactIdProtocol(), contactIdLine, CHECKED), steps: ALL },
  'p100 among all': { ...alone(p100Protocol(), p100Line, CHECKED), steps: ALL },
};
