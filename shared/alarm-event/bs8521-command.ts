import { DEVICE_COMMANDS, type DeviceCommand } from './device-command.ts';

/** The meaning of a device command of the API for a unit of BS 8521, in tones (part 1) and in messages (part 2) alike. */
export type Bs8521DeviceCommand =
  | { readonly kind: 'speak' | 'listen' | 'clearDown' }
  /** Part 1 only: messages need no keep-alive. */
  | { readonly kind: 'null' }
  /** 01 and 02 open the doors, 03 the key safe. */
  | { readonly kind: 'output'; readonly control: string }
  /** 0 reset, 1 to 3 volume, 4 up, 5 down, 6 and 7 speaker, 8 duplex, 9 simplex. */
  | { readonly kind: 'speech'; readonly setting: string };

/** `sendTones` is no command of the protocol: its tones go out as given. */
const BY_COMMAND: Readonly<Partial<Record<DeviceCommand, Bs8521DeviceCommand>>> = {
  keepAlive: { kind: 'null' },
  clearDown: { kind: 'clearDown' },
  listen: { kind: 'listen' },
  speak: { kind: 'speak' },
  releaseDoorLock1: { kind: 'output', control: '01' },
  releaseDoorLock2: { kind: 'output', control: '02' },
  releaseSafeLock: { kind: 'output', control: '03' },
  resetSpeechSettings: { kind: 'speech', setting: '0' },
  setVolumeLevel1: { kind: 'speech', setting: '1' },
  setVolumeLevel2: { kind: 'speech', setting: '2' },
  setVolumeLevel3: { kind: 'speech', setting: '3' },
  volumeUp: { kind: 'speech', setting: '4' },
  volumeDown: { kind: 'speech', setting: '5' },
  selectSpeaker1: { kind: 'speech', setting: '6' },
  selectSpeaker2: { kind: 'speech', setting: '7' },
  switchToDuplex: { kind: 'speech', setting: '8' },
  switchToSimplex: { kind: 'speech', setting: '9' },
};

/** The words of BS 8521 for a device command; undefined: it has none. */
export const bs8521CommandFor = (command: DeviceCommand): Bs8521DeviceCommand | undefined =>
  BY_COMMAND[command];

/** Backwards, for the device we speak for: the device command a centre asks for; undefined: none of the API. */
export function bs8521DeviceCommand(said: { readonly kind: string }): DeviceCommand | undefined {
  const text = JSON.stringify(said);
  return DEVICE_COMMANDS.find((command) => JSON.stringify(BY_COMMAND[command]) === text);
}
