import { eventTable, type LiftRow, P100_EVENTS } from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { makeCheck, type ToneFrame, type ToneProfile, type ToneProtocol } from '../tone/index.ts';
import { P100_PROFILE } from './profile.ts';

/*
 *   D? | alarm type 1 | length 1 (base 16) | data | check 2
 *
 * Symbols are the digits of base 16: 0-9, A-D = 10-13, * = 14, # = 15. The check is the low byte of the sum of all
 * symbols before it, high nibble first. D is the start tone, which may come from either side.
 */

const SYMBOLS = '0123456789ABCD*#';
const IDENTITY_DIGITS = 8;

export interface P100Packet {
  /** 1 alarm with voice, 2 failure, 3 self test. */
  readonly alarmType: string;
  /** Identity, and behind it the code of a failure. */
  readonly data: string;
  readonly identity: string;
  readonly failureCode?: string;
  /** Everything the check covers, and the check. */
  readonly checked: string;
  readonly check: string;
}

export function decodePacket(line: string): Result<P100Packet, Failure<'Malformed'>> {
  const packet = line.startsWith('D') ? line.slice(1) : line;
  if (!/^[0-9A-D*#]{5,24}$/.test(packet) || packet.length !== wholeLength(packet)) {
    return fail('Malformed', 'the length is not that of the data');
  }
  const alarmType = packet[0] ?? '';
  const data = packet.slice(2, -2);
  const failureCode = data.slice(IDENTITY_DIGITS);
  return ok({
    alarmType,
    data,
    identity: data.slice(0, IDENTITY_DIGITS),
    ...(failureCode !== '' && { failureCode }),
    checked: packet.slice(0, -2),
    check: packet.slice(-2),
  });
}

export function encodePacket(alarmType: string, data: string): Result<string, Failure<'NotExpressible'>> {
  const length = SYMBOLS[data.length];
  const checked = `${alarmType}${length ?? ''}${data}`;
  const check = makeCheck('sumHexByte', checked);
  return length === undefined || data === '' || check === undefined
    ? fail('NotExpressible', 'the data is not 1 to 15 symbols')
    : ok(checked + check);
}

/** A tenant's rows are appended: failure codes but 100, and the end of an alarm where a product reports it. */
export function p100Protocol(
  profile: ToneProfile = P100_PROFILE,
  rows: readonly LiftRow[] = [],
): ToneProtocol {
  const table = eventTable([...P100_EVENTS, ...rows]);
  const codeOf = ({ alarmType, failureCode }: P100Packet): string => {
    if (alarmType !== '2') return alarmType;
    const code = `2${failureCode ?? ''}`;
    return table.lookup(code) === undefined ? '2*' : code;
  };
  return {
    name: 'p100',
    profile,
    leads: (line) => /^D?[123]/.test(line),
    wholeLength: (line) => (line.startsWith('D') ? plusOne(wholeLength(line.slice(1))) : wholeLength(line)),
    read(line) {
      const read = decodePacket(line);
      if (!read.ok) return read;
      const { alarmType, data, identity, failureCode, checked, check } = read.value;
      const code = codeOf(read.value);
      const row = table.lookup(code);
      const frame: ToneFrame = {
        checked,
        check,
        event: {
          controllerId: identity,
          ...table.coded(code),
          // An unknown alarm may be a person in a lift.
          audio: row?.audio ?? 'duplex',
          priority: 0,
        },
        withdraws: false,
        fields: { alarmType, data, identity, ...(failureCode !== undefined && { failureCode }) },
        warnings: [
          ...(row === undefined ? ['unknownCode:alarmType'] : []),
          ...(code === '2*' ? ['unknownCode:failureCode'] : []),
        ],
      };
      return ok(frame);
    },
  };
}

/** Type, length, check and as many symbols as the length says; undefined before it is there. */
function wholeLength(packet: string): number | undefined {
  const length = packet[1] === undefined ? -1 : SYMBOLS.indexOf(packet[1]);
  return length <= 0 ? undefined : length + 4;
}

const plusOne = (length: number | undefined): number | undefined =>
  length === undefined ? undefined : length + 1;
