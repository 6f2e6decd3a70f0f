import {
  type Bs8521Fields,
  bs8521Alarm,
  bs8521Warnings,
  decodeBs8521,
  encodeBs8521,
  isBs8521Alarm,
  isBs8521Withdrawal,
} from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { makeCheck, type SentCheck, type ToneFrame, type ToneProtocol } from '../tone/index.ts';
import { BS8521_PROFILE, type Bs8521Profile } from './profile.ts';

const LINE = /^A?(\d{24})(\d{2})#?$/;
/** No method is known to be the right one: a centre that verifies will refuse it. */
const FIXED_CHECK = '00';

/** A + 24 digits + 2 check digits + #; a lost first A or last # is put up with. */
export interface Bs8521Line {
  readonly digits: string;
  readonly check: string;
  readonly fields: Bs8521Fields;
}

export function decodeLine(line: string): Result<Bs8521Line, Failure<'Malformed'>> {
  const [, digits = '', check = ''] = LINE.exec(line) ?? [];
  const fields = decodeBs8521(digits);
  return fields.ok
    ? ok({ digits, check, fields: fields.value })
    : fail('Malformed', 'not A, 26 digits and #');
}

/** The line to send. Without a method that makes two digits the check is 00. */
export function encodeLine(fields: Bs8521Fields, check?: SentCheck): string {
  const digits = encodeBs8521(fields);
  const made =
    check === undefined ? undefined : makeCheck(check.method, digits, check.table)?.padStart(2, '0');
  return `A${digits}${made ?? check?.fixed ?? FIXED_CHECK}#`;
}

/** The functions of this protocol for the tone engine. */
export const bs8521Protocol = (profile: Bs8521Profile = BS8521_PROFILE): ToneProtocol => ({
  name: 'bs8521',
  profile,
  leads: (line) => /^A?\d*#?$/.test(line),
  wholeLength: (line) => (line.startsWith('A') ? 27 : 26),
  read: (line) => {
    const read = decodeLine(line);
    return read.ok ? ok(frameOf(read.value)) : read;
  },
});

export const frameOf = ({ digits, check, fields }: Bs8521Line): ToneFrame => ({
  checked: digits,
  check,
  event: isBs8521Alarm(fields) ? bs8521Alarm(fields) : null,
  withdraws: isBs8521Withdrawal(fields),
  fields: { ...fields },
  warnings: bs8521Warnings(fields),
});
