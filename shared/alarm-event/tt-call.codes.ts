import type { EventRow } from './event-table.ts';

/**
 * Call codes of TT92 and TTNEW by the first symbols of a frame: D#, type, reserved, generic, call code. Eight that the
 * manuals of one maker print; others belong to a table of the destination.
 */
// biome-ignore format: one row a line reads as a table
export const TT_CALLS: readonly EventRow[] = [
  { code: 'D#1011', key: 'mainsRestored', meaning: 'mains back', receiveDeviceType: 'systemMonitor', receiveStatusCode: 'faultRectified', sendDeviceType: 'systemMonitor|localUnit|controller|dcPowerSupply', sendStatusCode: 'powerRestored', basis: 'near' },
  { code: 'D#1012', key: 'periodicTest', meaning: 'automatic test', receiveDeviceType: 'systemMonitor', receiveStatusCode: 'alarmTest', sendDeviceType: 'heartbeat', basis: 'near' },
  { code: 'D#1013', key: 'sensorSupervision', meaning: 'a radio sensor did not report', receiveDeviceType: 'radioUnit', receiveStatusCode: 'fault', sendDeviceType: 'radioUnit', sendStatusCode: 'radioTestFailed|failure', basis: 'near' },
  { code: 'D#1014', key: 'deviceLowBattery', meaning: 'battery of a device low', receiveDeviceType: 'localUnit', receiveStatusCode: 'lowBattery', sendDeviceType: '*', sendStatusCode: 'lowBattery|batteryFailure', basis: 'near', note: 'which device is not told' },
  { code: 'D#1015', key: 'inactivity', meaning: 'no activity seen', receiveDeviceType: 'activityDetector', receiveStatusCode: 'alarm', sendDeviceType: 'activityDetector', basis: 'near' },
  { code: 'D#1016', key: 'personalTriggerOrFall', meaning: 'worn button or fall', receiveDeviceType: 'personalTrigger', receiveStatusCode: 'alarmManual', sendDeviceType: 'personalTrigger|fallDetector|personalAttackPendent|panicAlarmButton|automaticPersonDown', basis: 'near' },
  { code: 'D#1017', key: 'baseUnitButton', meaning: 'button on the unit, also water', receiveDeviceType: 'localUnit', receiveStatusCode: 'alarmManual', sendDeviceType: 'localUnit|fixedTrigger|floodDetector|bathSensor', basis: 'near', note: 'also the fall-back for every other alarm' },
  { code: 'D#1018', key: 'smoke', meaning: 'smoke', receiveDeviceType: 'smokeDetector', receiveStatusCode: 'alarm', sendDeviceType: 'smokeDetector|fireAlarm|heatDetector', basis: 'near' },
];
