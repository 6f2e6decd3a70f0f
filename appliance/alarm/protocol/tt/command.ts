import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { Tone } from '../tone/index.ts';
import type { TtProfile } from './profile.ts';

/** Facts that decide how a command is said to the unit. */
export interface CommandContext {
  readonly name: 'tt92' | 'ttnew';
  /** A unit of a scheme knows no 702: it is spoken to with C. */
  readonly grouped: boolean;
  /** The last of C and `*` that was sent, for keepAlive. */
  readonly direction?: 'C' | '*';
}

/** Long tones in the call: C speak, `*` listen, 1 and 2 volume, 3 the door. */
const LONG: Readonly<Partial<Record<DeviceCommand, string>>> = {
  speak: 'C',
  listen: '*',
  volumeUp: '1',
  volumeDown: '2',
  releaseDoorLock1: '3',
  releaseDoorLock2: '3',
  releaseSafeLock: '3',
};

const COMMAND_OF_SYMBOL: Readonly<Record<string, DeviceCommand>> = {
  C: 'speak',
  '*': 'listen',
  '1': 'volumeUp',
  '2': 'volumeDown',
  '3': 'releaseDoorLock1',
};
const SWITCHES: Readonly<Record<string, DeviceCommand>> = {
  '701': 'switchToDuplex',
  '702': 'switchToSimplex',
};

/** In the role of the unit: what long tones of the centre want. */
export const commandsIn = (tones: readonly { readonly digit: string }[]): readonly DeviceCommand[] =>
  tones.flatMap(({ digit }) =>
    Object.hasOwn(COMMAND_OF_SYMBOL, digit) ? (COMMAND_OF_SYMBOL[digit] ?? []) : [],
  );

/** The request of a string of short digits to the unit, which echoes it. */
export const switchIn = (line: string): DeviceCommand | undefined =>
  Object.hasOwn(SWITCHES, line) ? SWITCHES[line] : undefined;

/** A device command as tones. `sendTones` goes out as given and is no command of the protocol. */
export function encodeCommand(
  command: DeviceCommand,
  context: CommandContext,
  { commands }: TtProfile,
): Result<readonly Tone[], Failure<'commandNotSupported'>> {
  const long = (digit: string): Tone => ({ digit, ms: commands.longMs });
  const short = (digits: string): Tone => ({ digits, onMs: commands.shortMs, offMs: commands.shortMs });
  const digit = LONG[command];
  if (digit !== undefined) return ok([long(digit)]);
  switch (command) {
    case 'keepAlive':
      return ok([long(context.direction ?? '*')]);
    case 'clearDown': {
      const end: Tone = { digit: '#', ms: commands.clearDownMs };
      return ok(context.name === 'tt92' ? [long('*'), { silenceMs: commands.shortMs }, end] : [end]);
    }
    case 'switchToDuplex':
      return context.grouped ? unsupported(command) : ok([short('701')]);
    case 'switchToSimplex':
      return ok([context.grouped ? long('C') : short('702')]);
    default:
      return unsupported(command);
  }
}

/** Clears the unit of a scheme. */
export const CLEAR_UNIT: readonly Tone[] = [
  { digit: '*', ms: 500 },
  { silenceMs: 80 },
  { digit: '0', ms: 1000 },
];

const unsupported = (command: DeviceCommand) =>
  fail('commandNotSupported', `TT92 and TTNEW have no tones for ${command}`);
