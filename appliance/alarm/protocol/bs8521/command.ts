import { bs8521CommandFor, type DeviceCommand } from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { Tone } from '../tone/index.ts';
import type { Bs8521Profile } from './profile.ts';

/** Long A and a digit (BS 8521-1 6.5 to 6.7). */
export interface QuickCommand {
  readonly kind: 'speak' | 'listen' | 'clear' | 'clearDown' | 'null';
}

/** A, digits and #. */
export type LongCommand =
  /** Four digits of the unit. */
  | { readonly kind: 'selectUnit'; readonly unitId: string }
  /** The next waiting call: of any unit without one. */
  | { readonly kind: 'nextOutstanding'; readonly unitId?: string }
  /** Two digits of `CONTROLS`. */
  | { readonly kind: 'output'; readonly control: string }
  /** 0 reset, 1 to 3 volume, 4 up, 5 down, 6 and 7 speaker, 8 duplex, 9 simplex. */
  | { readonly kind: 'speech'; readonly setting: string }
  | { readonly kind: 'setParameter'; readonly parameter: string; readonly value: string }
  | { readonly kind: 'readParameter'; readonly parameter: string }
  | { readonly kind: 'programmingMode'; readonly code: string };

/** The commands of a centre to a device. */
export type Bs8521Command = QuickCommand | LongCommand;

/** Digit behind the long A of a quick command. Speak is 7 and listen 8; SCAIP has them the other way. */
export const QUICK = { speak: '7', listen: '8', clear: '9', clearDown: 'D', null: '#' } as const;
export type QuickKind = keyof typeof QUICK;

const isQuick = (command: Bs8521Command): command is QuickCommand => Object.hasOwn(QUICK, command.kind);

/** A command as tones. */
export function encodeCommand(command: Bs8521Command, { commands }: Bs8521Profile): readonly Tone[] {
  const { onMs, offMs, longAMs } = commands;
  if (isQuick(command)) {
    return [{ digit: 'A', ms: longAMs }, { silenceMs: offMs }, { digit: QUICK[command.kind], ms: onMs }];
  }
  return [{ digits: `A${longDigits(command)}#`, onMs, offMs }];
}

function longDigits(command: LongCommand): string {
  switch (command.kind) {
    case 'selectUnit':
      return `0${command.unitId}`;
    case 'nextOutstanding':
      return `1${command.unitId ?? '0000'}`;
    case 'output':
      return `200${command.control}`;
    case 'speech':
      return `3${command.setting}`;
    case 'setParameter':
      return `400${command.parameter}${command.value}`;
    case 'readParameter':
      return `500${command.parameter}`;
    case 'programmingMode':
      return `C${command.code}`;
  }
}

/** Whether the device answers with data and not with B. */
export const answersWithData = (command: Bs8521Command): boolean =>
  command.kind === 'clear' || !(isQuick(command) || command.kind === 'speech');

/** A device command of the API. `sendTones` is no command of the protocol: its tones go out as given. */
export function commandFor(command: DeviceCommand): Result<Bs8521Command, Failure<'commandNotSupported'>> {
  const found = bs8521CommandFor(command);
  return found === undefined
    ? fail('commandNotSupported', `BS 8521-1 has no command for ${command}`)
    : ok(found);
}
