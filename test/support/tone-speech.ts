import { encodeMessage } from '#appliance/alarm/protocol/contact-id/index.ts';
import { encodePacket } from '#appliance/alarm/protocol/lift/index.ts';

export const contactId = (event: string): string => {
  const made = encodeMessage({
    account: '1234',
    messageType: '18',
    qualifier: '1',
    event,
    group: '01',
    zone: '015',
  });
  if (!made.ok) throw new Error(made.error.reason);
  return made.value;
};
export const lift = (type: '1' | '2'): string => {
  const made = encodePacket(type, '12345678');
  if (!made.ok) throw new Error(made.error.reason);
  return made.value;
};

/** How a device of one protocol speaks. */
export interface Speech {
  readonly string: string;
  /** The same with a code that no table has. */
  readonly unknown: string;
  /** Length of a digit and of a pause, ms. */
  readonly ms: number;
  /** Until the device has been asked, ms. */
  readonly askedMs: number;
  /** Digits that it hears when it is acknowledged. */
  readonly taken: string;
}

export const SPEECH: Readonly<Record<string, Speech>> = {
  bs8521: {
    string: 'A01001234567800010100000000#',
    unknown: 'A01001234567800019990000000#',
    ms: 80,
    askedMs: 800,
    taken: 'B',
  },
  tt92: {
    string: 'D#1017123456789***000000',
    unknown: 'D#1999123456789***000000',
    ms: 80,
    askedMs: 700,
    taken: 'B0',
  },
  ttnew: {
    string: 'D#1017123456789***000000',
    unknown: 'D#1999123456789***000000',
    ms: 80,
    askedMs: 700,
    taken: 'DB',
  },
  contactId: { string: contactId('130'), unknown: contactId('999'), ms: 60, askedMs: 1_800, taken: '' },
  p100: { string: lift('1'), unknown: '', ms: 100, askedMs: 1_800, taken: 'A' },
  'cpc-antenna': { string: '*#042787654321#', unknown: '*#040987654321#', ms: 80, askedMs: 700, taken: '' },
};
export const speechOf = (protocol: string): Speech =>
  SPEECH[protocol] ?? { string: '', unknown: '', ms: 80, askedMs: 0, taken: '' };
