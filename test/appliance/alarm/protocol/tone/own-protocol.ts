import {
  changedProfile,
  type ProbeStep,
  type ToneProfile,
  type ToneProfileChange,
  type ToneProtocol,
} from '#appliance/alarm/protocol/tone/index.ts';
import { fail, ok } from '#shared/result.ts';
import { CallRoom } from './call-room.ts';

/* A protocol of our own: three letters of a name and one check digit, `sumMod100` over the name. */

export const PROFILE: ToneProfile = {
  enquiry: { hz: 1850, minMs: 150 },
  trigger: { send: [{ digit: 'B', ms: 600 }], waitBeforeMs: 500, repeatEveryMs: 1600, max: 3 },
  collect: {
    start: 'A',
    end: '',
    alphabet: '0123456789',
    interDigitMs: 230,
    fullWaitMs: 110,
    maxToneMs: 2500,
    overallMs: 25_000,
    quietAfterBadMs: 10_000,
  },
  check: { policy: 'verify', method: 'sumMod100', maxRejects: 2 },
  ack: [{ digit: 'D', ms: 80 }],
  settleMs: 200,
};

export function protocol(name = 'p', length = 3, change: ToneProfileChange = {}, leads = /^A/): ToneProtocol {
  return {
    name,
    profile: changedProfile(PROFILE, change),
    leads: (line) => leads.test(line),
    wholeLength: () => length + 3,
    read(line) {
      const parts = new RegExp(`^A?(\\d{${length}})(\\d\\d)$`).exec(line);
      if (parts === null) return fail('Malformed', 'no');
      const word = { native: parts[1] ?? '', send: null, receive: null };
      const event = {
        controllerId: parts[1] ?? '',
        deviceType: word,
        statusCode: word,
        audio: 'duplex' as const,
        priority: 0,
      };
      return ok({
        checked: parts[1] ?? '',
        check: parts[2] ?? '',
        event: parts[1] === '000' ? null : event,
        withdraws: parts[1] === '999',
        fields: { name: parts[1] },
        warnings: [],
      });
    },
  };
}
export const room = (change: ToneProfileChange = {}, steps?: readonly ProbeStep[]) =>
  new CallRoom(steps ?? [{ protocol: protocol('p', 3, change) }]);
export const GOOD = 'A12306';
export const BAD = 'A12307';
