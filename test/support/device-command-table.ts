import { DEVICE_COMMANDS, type DeviceCommand } from '#shared/alarm-event/index.ts';

/*
 * Every value of `devicecommand` in every protocol (protocols 13): what the device hears, whether it has to confirm, and the
 * reason where its protocol has no word. A digit stands with its length in ms; 80 where none stands.
 */

const NONE = 'commandNotSupported';
type Table = Readonly<Record<DeviceCommand, string>>;

/** toneString 12#, 120 ms for each digit. */
const AS_GIVEN = '1 120, 2 120, # 120';
const NOTHING = Object.fromEntries(DEVICE_COMMANDS.map((command) => [command, NONE])) as Table;
const OTHER: Table = { ...NOTHING, clearDown: 'BYE', sendTones: AS_GIVEN };

const BS8521: Table = {
  keepAlive: 'A 250, #',
  clearDown: 'A 250, D',
  listen: 'A 250, 8',
  speak: 'A 250, 7',
  releaseDoorLock1: 'A20001# > A0001#',
  releaseDoorLock2: 'A20002# > A0002#',
  releaseSafeLock: 'A20003# > A0003#',
  resetSpeechSettings: 'A30#',
  selectSpeaker1: 'A36#',
  selectSpeaker2: 'A37#',
  sendTones: AS_GIVEN,
  setVolumeLevel1: 'A31#',
  setVolumeLevel2: 'A32#',
  setVolumeLevel3: 'A33#',
  switchToDuplex: 'A38#',
  switchToSimplex: 'A39#',
  volumeDown: 'A35#',
  volumeUp: 'A34#',
};

/** Data of a message of type 2. */
const NOWIP: Table = {
  // Nothing need be said: the call lives without it.
  keepAlive: '',
  clearDown: '2 D, BYE',
  listen: '2 8',
  speak: '2 7',
  releaseDoorLock1: '2 20001',
  releaseDoorLock2: '2 20002',
  releaseSafeLock: '2 20003',
  resetSpeechSettings: '2 30',
  selectSpeaker1: '2 36',
  selectSpeaker2: '2 37',
  sendTones: AS_GIVEN,
  setVolumeLevel1: '2 31',
  setVolumeLevel2: '2 32',
  setVolumeLevel3: '2 33',
  switchToDuplex: '2 38',
  switchToSimplex: '2 39',
  volumeDown: '2 35',
  volumeUp: '2 34',
};

const TTNEW: Table = {
  keepAlive: '* 500',
  clearDown: '# 2000',
  listen: '* 500',
  speak: 'C 500',
  releaseDoorLock1: '3 500',
  releaseDoorLock2: '3 500',
  releaseSafeLock: '3 500',
  resetSpeechSettings: NONE,
  selectSpeaker1: NONE,
  selectSpeaker2: NONE,
  sendTones: AS_GIVEN,
  setVolumeLevel1: NONE,
  setVolumeLevel2: NONE,
  setVolumeLevel3: NONE,
  switchToDuplex: '701 > 701',
  switchToSimplex: '702 > 702',
  volumeDown: '2 500',
  volumeUp: '1 500',
};

const SCAIP: Table = {
  ...TTNEW,
  keepAlive: '4 200',
  clearDown: '0 200',
  listen: '7 200',
  speak: '8 200',
  releaseDoorLock1: '9 200',
  releaseDoorLock2: '9 200',
  releaseSafeLock: '9 200',
  switchToDuplex: '4 200',
  switchToSimplex: '7 200',
  volumeDown: '1 200',
  volumeUp: '3 200',
};

/** By protocol of the device. */
export const TABLE: Readonly<Record<string, Table>> = {
  bs8521: BS8521,
  nowip: NOWIP,
  // As after hangupalarmcall: the units that wait in the scheme come first.
  nowipcontroller: { ...NOWIP, clearDown: '2 9, 2 D, BYE' },
  tt92: { ...TTNEW, clearDown: '* 500, # 2000' },
  ttnew: TTNEW,
  scaip: SCAIP,
  contactId: OTHER,
  p100: OTHER,
  'cpc-antenna': OTHER,
  voicecall: OTHER,
  lacs: OTHER,
};
