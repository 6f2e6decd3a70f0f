import { codedFrom } from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { ToneFrame, ToneProfile, ToneProtocol } from '../tone/index.ts';

/*
 *   * kind 1 * place 2 * identity * check #        kind: 1 alarm, 2 test; place: 00, or shaft and audio unit
 */

/** Text format of one lift maker. Guesses: check and acknowledge; off until a customer switches it on. */
export const TWON_PROFILE: ToneProfile = {
  trigger: { send: [], waitBeforeMs: 0, repeatEveryMs: 1000, max: 0 },
  collect: {
    start: '*',
    end: '#',
    alphabet: '0123456789*#',
    interDigitMs: 600,
    maxToneMs: 2500,
    overallMs: 25_000,
    quietAfterBadMs: 10_000,
  },
  check: { policy: 'learn', method: 'none', maxRejects: 3 },
  ack: [{ digit: '1', ms: 100 }],
  settleMs: 0,
};

const LINE = /^\*(\d)\*(\d{2})\*(\d{1,16})\*(\d{0,4})#$/;
const ALARM = '1';
const TEST = '2';

export const twonProtocol = (profile: ToneProfile = TWON_PROFILE): ToneProtocol => ({
  name: 'twon-text',
  profile,
  leads: (line) => /^\*[12]\*/.test(line),
  wholeLength: () => undefined,
  read: (line) => readLine(line),
});

function readLine(line: string): Result<ToneFrame, Failure<'Malformed'>> {
  const [, kind, place = '', identity = '', check = ''] = LINE.exec(line) ?? [];
  if (kind === undefined) return fail('Malformed', 'not * kind * place * identity * check #');
  const isTest = kind === TEST;
  const known = isTest || kind === ALARM;
  const unknown = { native: kind, send: null, receive: null };
  return ok({
    checked: `${kind}${place}${identity}`,
    check,
    event: {
      controllerId: identity,
      deviceType: known ? { ...codedFrom('deviceType', 'fixedTrigger'), native: kind } : unknown,
      statusCode: known
        ? { ...codedFrom('statusCode', isTest ? 'alarmTest' : 'alarm'), native: kind }
        : unknown,
      audio: isTest ? 'none' : 'duplex',
      priority: 0,
    },
    withdraws: false,
    fields: { kind, place, identity, ...(place !== '00' && { shaft: place[0], audioUnit: place[1] }) },
    warnings: known ? [] : ['unknownCode:alarmType'],
  });
}
