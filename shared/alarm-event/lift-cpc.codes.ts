import type { LiftRow } from './lift-p100.codes.ts';

export interface CpcRow extends LiftRow {
  readonly variant: 'KONE' | 'Antenna' | 'AntennaExt';
  readonly callType: string;
  readonly data: string;
}

/** CPC: call type and data behind the command 04. `code` is both together; a variant without data tells less apart. */
// biome-ignore format: one row a line reads as a table
export const CPC_EVENTS: readonly CpcRow[] = [
  { code: '100000000000000', variant: 'KONE', callType: '10', data: '0000000000000', key: 'alarm', meaning: 'passenger alarm', receiveDeviceType: 'localUnit', receiveStatusCode: 'alarmManual', sendDeviceType: 'elevator', sendStatusCode: 'alarmManual', audio: 'duplex' },
  { code: '210000000000000', variant: 'KONE', callType: '21', data: '0000000000000', key: 'checkingCall', meaning: 'periodic test', receiveDeviceType: 'localUnit', receiveStatusCode: 'alarmTest', sendDeviceType: 'elevator', audio: 'none' },
  { code: '840000000000000', variant: 'KONE', callType: '84', data: '0000000000000', key: 'rescueEnded', meaning: 'rescue finished', receiveDeviceType: 'localUnit', receiveStatusCode: 'cleared', sendDeviceType: 'elevator', sendStatusCode: 'resetManual', audio: 'none' },
  { code: '900000000000000', variant: 'KONE', callType: '90', data: '0000000000000', key: 'buttonStuck', meaning: 'alarm button stuck', receiveDeviceType: 'localUnit', receiveStatusCode: 'fault', sendDeviceType: 'elevator', sendStatusCode: 'malfunction', audio: 'none' },
  { code: '900000000000001', variant: 'KONE', callType: '90', data: '0000000000001', key: 'buttonRepaired', meaning: 'alarm button works again', receiveDeviceType: 'localUnit', receiveStatusCode: 'faultRectified', sendDeviceType: 'elevator', sendStatusCode: 'faultRectified', audio: 'none' },
  { code: '910000000000000', variant: 'KONE', callType: '91', data: '0000000000000', key: 'audioError', meaning: 'microphone or loudspeaker fault', receiveDeviceType: 'localUnit', receiveStatusCode: 'fault', sendDeviceType: 'elevator', sendStatusCode: 'failure', audio: 'none' },
  { code: '910000000000001', variant: 'KONE', callType: '91', data: '0000000000001', key: 'audioRepaired', meaning: 'microphone and loudspeaker work again', receiveDeviceType: 'localUnit', receiveStatusCode: 'faultRectified', sendDeviceType: 'elevator', sendStatusCode: 'faultRectified', audio: 'none' },
  { code: '311510070000000', variant: 'KONE', callType: '31', data: '1510070000000', key: 'replaceBattery', meaning: 'battery to be replaced', receiveDeviceType: 'localUnit', receiveStatusCode: 'lowBattery', sendDeviceType: 'elevator', sendStatusCode: 'batteryFailure', audio: 'none' },
  { code: '311510070000001', variant: 'KONE', callType: '31', data: '1510070000001', key: 'batteryReplaced', meaning: 'battery replaced', receiveDeviceType: 'localUnit', receiveStatusCode: 'faultRectified', sendDeviceType: 'elevator', sendStatusCode: 'faultRectified', audio: 'none' },
  { code: '27', variant: 'Antenna', callType: '27', data: '', key: 'alarm', meaning: 'passenger alarm', receiveDeviceType: 'localUnit', receiveStatusCode: 'alarmManual', sendDeviceType: 'elevator', sendStatusCode: 'alarmManual', audio: 'duplex' },
  { code: '26', variant: 'Antenna', callType: '26', data: '', key: 'checkingCall', meaning: 'periodic test', receiveDeviceType: 'localUnit', receiveStatusCode: 'alarmTest', sendDeviceType: 'elevator', audio: 'none' },
  { code: '84', variant: 'Antenna', callType: '84', data: '', key: 'rescueEnded', meaning: 'rescue finished', receiveDeviceType: 'localUnit', receiveStatusCode: 'cleared', sendDeviceType: 'elevator', sendStatusCode: 'resetManual', audio: 'none' },
  { code: '90', variant: 'Antenna', callType: '90', data: '', key: 'buttonStuckOrRepaired', meaning: 'alarm button stuck or working again, not told apart', receiveDeviceType: 'localUnit', receiveStatusCode: 'fault', sendDeviceType: 'elevator', sendStatusCode: 'malfunction', audio: 'none' },
  { code: '91', variant: 'Antenna', callType: '91', data: '', key: 'audioErrorOrRepaired', meaning: 'audio fault or working again, not told apart', receiveDeviceType: 'localUnit', receiveStatusCode: 'fault', sendDeviceType: 'elevator', sendStatusCode: 'failure', audio: 'none' },
  { code: '2700000', variant: 'AntennaExt', callType: '27', data: '00000', key: 'alarm', meaning: 'passenger alarm', receiveDeviceType: 'localUnit', receiveStatusCode: 'alarmManual', sendDeviceType: 'elevator', sendStatusCode: 'alarmManual', audio: 'duplex' },
  { code: '2600000', variant: 'AntennaExt', callType: '26', data: '00000', key: 'checkingCall', meaning: 'periodic test', receiveDeviceType: 'localUnit', receiveStatusCode: 'alarmTest', sendDeviceType: 'elevator', audio: 'none' },
  { code: '8400000', variant: 'AntennaExt', callType: '84', data: '00000', key: 'rescueEnded', meaning: 'rescue finished', receiveDeviceType: 'localUnit', receiveStatusCode: 'cleared', sendDeviceType: 'elevator', sendStatusCode: 'resetManual', audio: 'none' },
  { code: '9000000', variant: 'AntennaExt', callType: '90', data: '00000', key: 'buttonStuck', meaning: 'alarm button stuck', receiveDeviceType: 'localUnit', receiveStatusCode: 'fault', sendDeviceType: 'elevator', sendStatusCode: 'malfunction', audio: 'none' },
  { code: '9000001', variant: 'AntennaExt', callType: '90', data: '00001', key: 'buttonRepaired', meaning: 'alarm button works again', receiveDeviceType: 'localUnit', receiveStatusCode: 'faultRectified', sendDeviceType: 'elevator', sendStatusCode: 'faultRectified', audio: 'none' },
  { code: '1700000', variant: 'AntennaExt', callType: '17', data: '00000', key: 'replaceBattery', meaning: 'battery to be replaced', receiveDeviceType: 'localUnit', receiveStatusCode: 'lowBattery', sendDeviceType: 'elevator', sendStatusCode: 'batteryFailure', audio: 'none' },
  { code: '1700001', variant: 'AntennaExt', callType: '17', data: '00001', key: 'batteryReplaced', meaning: 'battery replaced', receiveDeviceType: 'localUnit', receiveStatusCode: 'faultRectified', sendDeviceType: 'elevator', sendStatusCode: 'faultRectified', audio: 'none' },
  { code: '9100000', variant: 'AntennaExt', callType: '91', data: '00000', key: 'audioError', meaning: 'microphone or loudspeaker fault', receiveDeviceType: 'localUnit', receiveStatusCode: 'fault', sendDeviceType: 'elevator', sendStatusCode: 'failure', audio: 'none' },
  { code: '9100001', variant: 'AntennaExt', callType: '91', data: '00001', key: 'audioRepaired', meaning: 'microphone and loudspeaker work again', receiveDeviceType: 'localUnit', receiveStatusCode: 'faultRectified', sendDeviceType: 'elevator', sendStatusCode: 'faultRectified', audio: 'none' },
];
