import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { Bs8521Command } from './command.ts';

/** The answers of a device to a command, other than B. */
export type Bs8521Reply =
  /** Calls that still wait: to `clear`, and 0 to `nextOutstanding` when none does. */
  | { readonly kind: 'waiting'; readonly waiting: number }
  | {
      readonly kind: 'unitStatus';
      readonly unitId: string;
      readonly event: string;
      readonly location: string;
      readonly priority: string;
      readonly status: string;
    }
  | { readonly kind: 'output'; readonly refused: boolean; readonly control: string }
  /** Parameters and programming mode: digits as they came. */
  | { readonly kind: 'digits'; readonly digits: string };

const UNIT_STATUS = /^(\d{4})(\d{3})(\d{2})(\d)(\d{2})$/;

/** Reads the data answer to a command; a lost A or # is put up with. */
export function decodeReply(
  after: Bs8521Command['kind'],
  line: string,
): Result<Bs8521Reply, Failure<'Malformed'>> {
  const digits = /^A?(\d{1,40})#?$/.exec(line)?.[1];
  if (digits === undefined) return fail('Malformed', 'not A, digits and #');
  switch (after) {
    case 'clear':
      return /^0000\d\d$/.test(digits)
        ? ok({ kind: 'waiting', waiting: Number(digits.slice(4)) })
        : fail('Malformed', 'not 0000 and the number of waiting calls');
    case 'selectUnit':
    case 'nextOutstanding': {
      if (/^0{12}$/.test(digits)) return ok({ kind: 'waiting', waiting: 0 });
      const parts = UNIT_STATUS.exec(digits);
      if (parts === null) return fail('Malformed', 'not the 12 digits of a unit');
      const [, unitId = '', event = '', location = '', priority = '', status = ''] = parts;
      return ok({ kind: 'unitStatus', unitId, event, location, priority, status });
    }
    case 'output':
      return /^\d{4}$/.test(digits)
        ? ok({ kind: 'output', refused: digits.endsWith('00'), control: digits.slice(2) })
        : fail('Malformed', 'not the four digits of an output');
    case 'speak':
    case 'listen':
    case 'clearDown':
    case 'null':
    case 'speech':
    case 'setParameter':
    case 'readParameter':
    case 'programmingMode':
      return ok({ kind: 'digits', digits });
  }
}
