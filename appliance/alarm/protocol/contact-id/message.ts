import { type ContactIdMessage, contactIdAlarm, contactIdWarnings } from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { makeCheck, type ToneFrame, type ToneProtocol } from '../tone/index.ts';
import { CONTACT_ID_PROFILE, type ContactIdProfile } from './profile.ts';

/*
 *   account 4 | type 18 | qualifier 1 | event 3 | group 2 | zone 3 | check 1        SIA DC-05
 *
 * Hex digits: 0 counts 10; B to F are sent as * # A B C. The sum of all 16 is a multiple of 15.
 */

/** One message of 16 digits, in hex. */
export interface ContactIdFields extends ContactIdMessage {
  readonly account: string;
  /** 18, or 98 of some devices. */
  readonly messageType: string;
}

const HEX_OF: Readonly<Record<string, string>> = { '*': 'B', '#': 'C', A: 'D', B: 'E', C: 'F' };
const SYMBOL_OF: Readonly<Record<string, string>> = { B: '*', C: '#', D: 'A', E: 'B', F: 'C' };

/** Symbols of the line as hex digits. There is no A: ten is 0. */
export const toHex = (symbols: string): string =>
  symbols.replace(/[*#ABC]/g, (symbol) => HEX_OF[symbol] ?? symbol);
export const toSymbols = (hex: string): string => hex.replace(/[B-F]/g, (digit) => SYMBOL_OF[digit] ?? digit);

const MESSAGE = /^([0-9B-F]{4})(18|98)([0-9B-F])([0-9B-F]{3})([0-9B-F]{2})([0-9B-F]{3})([0-9B-F])$/;

/** Reads the 16 symbols of a message; the check digit is the engine's business. */
export function decodeMessage(line: string): Result<ContactIdFields, Failure<'Malformed'>> {
  const parts = /^[0-9*#ABC]{16}$/.test(line) ? MESSAGE.exec(toHex(line)) : null;
  if (parts === null) return fail('Malformed', 'not the 16 digits of a message of type 18 or 98');
  const [, account = '', messageType = '', qualifier = '', event = '', group = '', zone = ''] = parts;
  return ok({ account, messageType, qualifier, event, group, zone });
}

/** The 16 symbols to send, with their check digit. `NotExpressible`: a field is not hex or has another length. */
export function encodeMessage(fields: ContactIdFields): Result<string, Failure<'NotExpressible'>> {
  const { account, messageType, qualifier, event, group, zone } = fields;
  const hex = `${account}${messageType}${qualifier}${event}${group}${zone}`.toUpperCase();
  const symbols = toSymbols(hex);
  const check = makeCheck('sumMod15', symbols);
  return check === undefined || !MESSAGE.test(`${hex}0`)
    ? fail('NotExpressible', 'a field is not hex digits without A, or too long')
    : ok(symbols + check);
}

/** The event after which the line is kept for speech. */
const LISTEN_IN = '606';

/** The functions of this protocol for the tone engine. */
export const contactIdProtocol = (profile: ContactIdProfile = CONTACT_ID_PROFILE): ToneProtocol => ({
  name: 'contactId',
  profile,
  leads: (line) => /^[0-9*#ABC]+$/.test(line),
  wholeLength: () => 16,
  read: (line) => {
    const read = decodeMessage(line);
    return read.ok ? ok(frameOf(line, read.value)) : read;
  },
});

function frameOf(line: string, fields: ContactIdFields): ToneFrame {
  return {
    checked: line.slice(0, 15),
    check: line.slice(15),
    event: contactIdAlarm(fields.account, fields, fields.event === LISTEN_IN ? 'duplex' : 'none'),
    withdraws: false,
    fields: { ...fields },
    warnings: contactIdWarnings(fields),
  };
}
