import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { CONTROL_TONE } from './element.codes.ts';
import type { ScaipProfile } from './profile.ts';

/** Digits to send to the device in the call, one after the other. */
export interface ControlTone {
  readonly digits: string;
  /** Length of each digit, ms. */
  readonly ms: number;
  /** Pause between two digits, ms. */
  readonly pauseMs: number;
}

/** Length of a digit of sendTones when the caller names none. */
const SEND_TONE_MS = 80;
const MIN_PAUSE_MS = 40;

/**
 * A device command as control tones. `direction`: the last of 4, 7 and 8 that was sent, for keepAlive. One output
 * only: every lock command is 9. Volume levels and speakers are not in the protocol: `commandNotSupported`.
 */
export function controlTone(
  command: DeviceCommand,
  profile: ScaipProfile,
  given: { readonly direction?: string; readonly toneString?: string; readonly duration?: number } = {},
): Result<ControlTone, Failure<'commandNotSupported'>> {
  if (command === 'sendTones') {
    const ms = given.duration ?? SEND_TONE_MS;
    return ok({ digits: given.toneString ?? '', ms, pauseMs: Math.max(ms, MIN_PAUSE_MS) });
  }
  const digit =
    command === 'keepAlive' ? (given.direction ?? CONTROL_TONE.duplex) : digitOf(command, profile);
  if (digit === undefined) return fail('commandNotSupported', `SCAIP has no control tone for ${command}`);
  const ms = profile.voice.controlToneMs;
  return ok({ digits: digit, ms, pauseMs: ms });
}

/** Digits that set the direction of speech and are repeated as keep-alive. */
export const isDirection = (digit: string): boolean => digit === '4' || digit === '7' || digit === '8';

function digitOf(command: DeviceCommand, profile: ScaipProfile): string | undefined {
  switch (command) {
    case 'clearDown':
    case 'listen':
    case 'speak':
    case 'volumeDown':
    case 'volumeUp':
      return CONTROL_TONE[command];
    case 'switchToDuplex':
      return CONTROL_TONE.duplex;
    case 'switchToSimplex':
      return profile.voice.simplexDefault;
    case 'releaseDoorLock1':
    case 'releaseDoorLock2':
    case 'releaseSafeLock':
      return CONTROL_TONE.output;
    case 'keepAlive':
    case 'sendTones':
    case 'resetSpeechSettings':
    case 'selectSpeaker1':
    case 'selectSpeaker2':
    case 'setVolumeLevel1':
    case 'setVolumeLevel2':
    case 'setVolumeLevel3':
      return undefined;
  }
}

/** The request of a centre's tone to the device we speak for. */
const COMMAND: Readonly<Record<string, DeviceCommand>> = {
  [CONTROL_TONE.clearDown]: 'clearDown',
  [CONTROL_TONE.volumeDown]: 'volumeDown',
  [CONTROL_TONE.volumeUp]: 'volumeUp',
  [CONTROL_TONE.duplex]: 'switchToDuplex',
  [CONTROL_TONE.listen]: 'listen',
  [CONTROL_TONE.speak]: 'speak',
  [CONTROL_TONE.output]: 'releaseDoorLock1',
};

/** The device command a control tone stands for; undefined: none. */
export const commandOfTone = (digit: string): DeviceCommand | undefined =>
  Object.hasOwn(COMMAND, digit) ? COMMAND[digit] : undefined;
