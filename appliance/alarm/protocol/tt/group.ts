import { type Failure, fail, ok, type Result } from '#shared/result.ts';

/* Groups of 8 symbols of a scheme (generic 2 or 3). Zero is sent as D, since 0 begins other things there. */

/** A waiting call: call code, unit 3, battery, location 2, D. */
export interface GroupAlarm {
  readonly callCode: string;
  readonly unit: string;
  readonly battery: 'good' | 'low';
  readonly location: string;
}

const zeros = (symbols: string): string => symbols.replaceAll('D', '0');
const dees = (digits: string): string => digits.replaceAll('0', 'D');

export function decodeGroupAlarm(symbols: string): Result<GroupAlarm, Failure<'Malformed'>> {
  const parts = /^([0-9D])([1-9D]{3})([1D])([1-9D]{2})D$/.exec(symbols);
  if (parts === null) return fail('Malformed', 'not call code, unit, battery, location and D');
  const [, callCode = '', unit = '', battery, location = ''] = parts;
  return ok({
    callCode,
    unit: zeros(unit),
    battery: battery === '1' ? 'low' : 'good',
    location: zeros(location),
  });
}

/** Waiting calls that were said without a pause between them; whatever is none is passed over. */
export const decodeGroupAlarms = (symbols: string): readonly GroupAlarm[] =>
  (symbols.match(/.{8}/g) ?? []).flatMap((group) => {
    const read = decodeGroupAlarm(group);
    return read.ok ? [read.value] : [];
  });

export const encodeGroupAlarm = ({ callCode, unit, battery, location }: GroupAlarm): string =>
  `${callCode}${dees(unit.padStart(3, '0'))}${battery === 'low' ? '1' : 'D'}${dees(location.padStart(2, '0'))}D`;

/** Selects a unit of the scheme: three digits and B. */
export const selectUnit = (unit: string): string => `${dees(unit.padStart(3, '0'))}B`;

/** The unit that a centre selects; undefined: it says something else. */
export function selectedUnit(symbols: string): string | undefined {
  const unit = /^([1-9D]{3})B$/.exec(symbols)?.[1];
  return unit === undefined ? undefined : zeros(unit);
}

/** The scheme's answer to select: speech, DDD, unit, A. */
export function decodeSelected(
  symbols: string,
): Result<{ readonly unit: string; readonly speech: 'simplex' | 'duplex' }, Failure<'Malformed'>> {
  const parts = /^([1D])DDD([1-9D]{3})A$/.exec(symbols);
  if (parts === null) return fail('Malformed', 'not speech, DDD, unit and A');
  return ok({ unit: zeros(parts[2] ?? ''), speech: parts[1] === '1' ? 'duplex' : 'simplex' });
}

/** The scheme's answer to clear. */
export const isCleared = (symbols: string): boolean => symbols === 'DDDDDDDB';
