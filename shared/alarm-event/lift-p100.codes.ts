import type { EventRow } from './event-table.ts';

export interface LiftRow extends EventRow {
  readonly audio: 'none' | 'duplex';
}

/** P100: alarm type, then the failure code of type 2; `2*` is any other failure. */
// biome-ignore format: one row a line reads as a table
export const P100_EVENTS: readonly LiftRow[] = [
  { code: '1', key: 'alarmWithVoice', meaning: 'passenger alarm, voice follows', receiveDeviceType: 'localUnit', receiveStatusCode: 'alarmManual', sendDeviceType: 'elevator', sendStatusCode: 'alarmManual', audio: 'duplex', note: 'data = identity 8' },
  { code: '2100', key: 'batteryFailure', meaning: 'battery missing, broken or too weak for one hour of call', receiveDeviceType: 'localUnit', receiveStatusCode: 'lowBattery', sendDeviceType: 'elevator', sendStatusCode: 'batteryFailure', audio: 'none', note: 'data = identity 8 and code 3' },
  { code: '2*', key: 'otherFailure', meaning: 'any other code', receiveDeviceType: 'localUnit', receiveStatusCode: 'fault', sendDeviceType: 'elevator', sendStatusCode: 'failure', audio: 'none', note: 'code list is a table of the destination; keep the code in sourceAlarmEvent' },
  { code: '3', key: 'selfTest', meaning: 'periodic self test', receiveDeviceType: 'localUnit', receiveStatusCode: 'alarmTest', sendDeviceType: 'elevator', audio: 'none', note: 'data = identity 8; restarts the three-day test timer' },
];
