/** Commands of `devicecommand` (runtime API document 4.1). */
export const DEVICE_COMMANDS = [
  'keepAlive',
  'clearDown',
  'listen',
  'releaseDoorLock1',
  'releaseDoorLock2',
  'releaseSafeLock',
  'resetSpeechSettings',
  'selectSpeaker1',
  'selectSpeaker2',
  'sendTones',
  'setVolumeLevel1',
  'setVolumeLevel2',
  'setVolumeLevel3',
  'speak',
  'switchToDuplex',
  'switchToSimplex',
  'volumeDown',
  'volumeUp',
] as const;

export type DeviceCommand = (typeof DEVICE_COMMANDS)[number];
