import { bs8521CommandFor, type DeviceCommand } from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { NowIpProfile } from './profile.ts';

/** Commands of a centre: the digits of BS 8521-1 without A and #. */
export type NowIpCommand =
  | { readonly kind: 'speak' | 'listen' | 'clear' | 'clearDown' }
  | { readonly kind: 'selectUnit'; readonly unitId: string }
  | { readonly kind: 'nextOutstanding'; readonly unitId?: string }
  /** 01 and 02 open the doors, 03 the key safe. */
  | { readonly kind: 'output'; readonly control: string }
  /** 0 reset, 1 to 3 volume, 4 up, 5 down, 6 and 7 speaker, 8 duplex, 9 simplex. */
  | { readonly kind: 'speech'; readonly setting: string }
  | { readonly kind: 'programmingMode'; readonly code: string }
  /** A string of the profile, of which nothing else is known. */
  | { readonly kind: 'given'; readonly data: string }
  | { readonly kind: 'setParameter'; readonly parameter: string; readonly value: string }
  | { readonly kind: 'readParameter'; readonly parameter: string };

const QUICK = { '7': 'speak', '8': 'listen', '9': 'clear', D: 'clearDown' } as const;

/** Type and data of a command. */
export function encodeCommand(command: NowIpCommand): { readonly type: '2' | '8'; readonly data: string } {
  switch (command.kind) {
    case 'speak':
      return { type: '2', data: '7' };
    case 'listen':
      return { type: '2', data: '8' };
    case 'clear':
      return { type: '2', data: '9' };
    case 'clearDown':
      return { type: '2', data: 'D' };
    case 'selectUnit':
      return { type: '2', data: `0${command.unitId}` };
    case 'nextOutstanding':
      return { type: '2', data: `1${command.unitId ?? '0000'}` };
    case 'output':
      return { type: '2', data: `200${command.control}` };
    case 'speech':
      return { type: '2', data: `3${command.setting}` };
    case 'programmingMode':
      return { type: '2', data: `C${command.code}` };
    case 'given':
      return { type: '2', data: command.data };
    case 'setParameter': {
      const length = String(command.value.length).padStart(3, '0');
      return { type: '8', data: `400${command.parameter}${length}${command.value}` };
    }
    case 'readParameter':
      return { type: '8', data: `500${command.parameter}` };
  }
}

/** Reads the data of a message of type 2. */
export function decodeCommand(data: string): Result<NowIpCommand, Failure<'Malformed'>> {
  if (Object.hasOwn(QUICK, data)) return ok({ kind: QUICK[data as keyof typeof QUICK] });
  const [, head, rest = ''] = /^([0-3C])(\d{1,4})$/.exec(data) ?? [];
  if (head === '0' && rest.length === 4) return ok({ kind: 'selectUnit', unitId: rest });
  if (head === '1' && rest.length === 4) {
    return ok(rest === '0000' ? { kind: 'nextOutstanding' } : { kind: 'nextOutstanding', unitId: rest });
  }
  if (head === '2' && /^00\d\d$/.test(rest)) return ok({ kind: 'output', control: rest.slice(2) });
  if (head === '3' && rest.length === 1) return ok({ kind: 'speech', setting: rest });
  if (head === 'C' && rest.length === 4) return ok({ kind: 'programmingMode', code: rest });
  return fail('Malformed', 'no command', '/data');
}

/** Reads the data of a message of type 8. LLL is the length of the value. */
export function decodeProgram(data: string): Result<NowIpCommand, Failure<'Malformed'>> {
  const read = /^500(\d{3})$/.exec(data);
  if (read !== null) return ok({ kind: 'readParameter', parameter: read[1] ?? '' });
  const set = /^400(\d{3})(\d{3})(.*)$/s.exec(data);
  if (set === null || Number(set[2]) !== set[3]?.length) return fail('Malformed', 'no parameter', '/data');
  return ok({ kind: 'setParameter', parameter: set[1] ?? '', value: set[3] });
}

/** How long the answer to a command may take. */
export function answerWaitMs({ kind }: NowIpCommand, { waitMs }: NowIpProfile): number {
  switch (kind) {
    case 'selectUnit':
      return waitMs.select;
    case 'nextOutstanding':
      return waitMs.next;
    case 'setParameter':
    case 'readParameter':
      return waitMs.parameter;
    case 'speak':
    case 'listen':
    case 'clear':
    case 'clearDown':
    case 'output':
    case 'speech':
    case 'programmingMode':
    case 'given':
      return waitMs.quick;
  }
}

/**
 * A device command of the API. keepAlive has a string only where the profile names one, `sendTones` is no command of the protocol.
 * @returns `undefined` as value: nothing need be said to the device
 */
export function commandFor(
  command: DeviceCommand,
  { keepAlive }: Pick<NowIpProfile, 'keepAlive'> = {},
): Result<NowIpCommand | undefined, Failure<'commandNotSupported'>> {
  // The call of NOW-IP lives without one.
  if (command === 'keepAlive')
    return ok(keepAlive === undefined ? undefined : { kind: 'given', data: keepAlive });
  const found = bs8521CommandFor(command);
  return found === undefined || found.kind === 'null'
    ? fail('commandNotSupported', `NOW-IP has no command for ${command}`)
    : ok(found);
}
