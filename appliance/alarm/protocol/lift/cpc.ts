import { CPC_EVENTS, type CpcRow, eventTable, LIFT_AUDIO_UNITS } from '#shared/alarm-event/index.ts';
import { fail, ok } from '#shared/result.ts';
import type { ToneFrame, ToneProtocol } from '../tone/index.ts';
import { CPC_PROFILE, type CpcProfile } from './profile.ts';

/*
 *   04 | call type 2 | data 13, 5 or none, by variant | identity up to 16 | A shaft 1 audio unit 0..1
 *
 * What stands around it on the line is not public: the payload is searched as 04 and a known call type.
 */

export interface CpcPayload {
  readonly row: CpcRow;
  readonly identity: string;
  readonly shaft?: string;
  readonly audioUnit?: string;
  /** Whether the line has symbols besides the payload. */
  readonly framed: boolean;
}

const COMMAND = '04';
const MOST_IDENTITY = 16;

/** Digits behind 04, up to the suffix or to whatever ends them. */
const PAYLOAD = /^(\d+)(?:A(\d)(\d)?)?/;

type Choice = Pick<CpcProfile, 'idDigits' | 'variantOrder'>;

/** The payload of a captured line, or undefined. `idDigits`: usual length of identities of the destination. */
export function findPayload(line: string, choice: Choice = CPC_PROFILE): CpcPayload | undefined {
  for (let at = line.indexOf(COMMAND); at !== -1; at = line.indexOf(COMMAND, at + 1)) {
    const rest = line.slice(at + COMMAND.length);
    const parts = PAYLOAD.exec(rest);
    if (parts === null) continue;
    const digits = parts[1] ?? '';
    // Interop: one maker prints a 9 between 04 and the call type.
    const fit =
      fitting(digits, choice) ?? (digits.startsWith('9') ? fitting(digits.slice(1), choice) : undefined);
    if (fit === undefined) continue;
    const [, , shaft, audioUnit] = parts;
    return {
      ...fit,
      ...(shaft !== undefined && { shaft }),
      ...(audioUnit !== undefined && { audioUnit }),
      framed: at > 0 || parts[0].length < rest.length,
    };
  }
  return undefined;
}

function fitting(
  digits: string,
  { idDigits, variantOrder }: Choice,
): { row: CpcRow; identity: string } | undefined {
  const fits = CPC_EVENTS.flatMap((row) => {
    const identity = digits.startsWith(row.code) ? digits.slice(row.code.length) : '';
    return identity === '' || identity.length > MOST_IDENTITY ? [] : [{ row, identity }];
  });
  const usual = fits.filter(({ identity }) => identity.length === idDigits);
  const chosen = usual.length > 0 ? usual : fits;
  return chosen.toSorted(
    (a, b) => variantOrder.indexOf(a.row.variant) - variantOrder.indexOf(b.row.variant),
  )[0];
}

/** Chosen: a line that says nothing is delivered for the calling number to identify; speech is never refused. */
const NO_CONTROLLER = '0';
const UNKNOWN = { native: null, send: null, receive: null };

/** `among`: other protocols are tried beside it, so that only a line with a payload is its own. */
export const cpcProtocol = (profile: CpcProfile = CPC_PROFILE, among = false): ToneProtocol => ({
  name: 'cpc-antenna',
  profile,
  leads: (line) => CPC_EVENTS.some(({ callType }) => line.includes(COMMAND + callType)),
  wholeLength: () => undefined,
  read: (line) => {
    const payload = findPayload(line, profile);
    if (payload !== undefined) return ok(frameOf(payload));
    return among ? fail('Malformed', 'no payload that is known') : ok(captured);
  },
});

const captured: ToneFrame = {
  checked: '',
  check: '',
  event: {
    controllerId: NO_CONTROLLER,
    deviceType: UNKNOWN,
    statusCode: UNKNOWN,
    audio: 'duplex',
    priority: 0,
  },
  withdraws: false,
  fields: {},
  warnings: ['unknownFraming', 'noPayload'],
};

function frameOf({ row, identity, shaft, audioUnit, framed }: CpcPayload): ToneFrame {
  const place = LIFT_AUDIO_UNITS.find(({ code }) => code === audioUnit)?.key;
  return {
    checked: '',
    check: '',
    event: { controllerId: identity, ...eventTable([row]).coded(row.code), audio: row.audio, priority: 0 },
    withdraws: false,
    fields: {
      variant: row.variant,
      callType: row.callType,
      data: row.data,
      key: row.key,
      identity,
      ...(shaft !== undefined && { shaft }),
      ...(audioUnit !== undefined && { audioUnit }),
      ...(place !== undefined && { audioUnitPlace: place }),
    },
    warnings: framed ? ['unknownFraming'] : [],
  };
}
