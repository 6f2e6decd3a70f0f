import type { CodeRow } from './code-table.ts';

/** States of BS 8521-1 and NOW-IP: two digits, 00 leaves it to the event. 10-79 are reserved, 80-99 belong to a maker. */
// biome-ignore format: one row a line reads as a table
export const BS8521_STATUSES: readonly CodeRow[] = [
  { code: '00', key: 'normal', meaning: 'nothing special', receive: 'normal', send: 'normal', basis: 'exact', note: 'on receive the status of the event row wins; normal only when that row has none' },
  { code: '01', key: 'privacySwitchOperated', meaning: 'privacy switch used', receive: 'privacySwitchOperated', send: 'privacySwitchOperated', basis: 'exact' },
  { code: '02', key: 'nonSpeechManual', meaning: 'no speech, raised by a person', receive: 'alarmManual', send: null, basis: 'weak', note: 'sets audio none; sent for alarmManual with audio none when nonSpeechStatus is on' },
  { code: '03', key: 'nonSpeechAutomatic', meaning: 'no speech, raised by a sensor', receive: 'alarm', send: null, basis: 'weak', note: 'sets audio none; sent for alarm with audio none when nonSpeechStatus is on' },
  { code: '04', key: 'inServiceFaultRectified', meaning: 'back in service, fault mended', receive: 'faultRectified', send: 'faultRectified|powerRestored|restoral|batteryFull|communicationLinkIPRestored|communicationLinkGSMRestored|communicationLinkPOTSRestored|radioTestRestored|resetAutomatic|resetManual|reset', basis: 'exact' },
  { code: '05', key: 'faultAlarmActive', meaning: 'fault, alarm function still works', receive: 'fault', send: 'failure|batteryFailure|powerFailure|communicationLinkIPFailure|communicationLinkGSMFailure|communicationLinkPOTSFailure|communicationLinkPrimaryFailure|communicationLinkRedundantFailure|radioTestFailed|rfInterference|tamper|disconnected|offline', basis: 'near' },
  { code: '06', key: 'faultAlarmNotActive', meaning: 'fault, alarm function does not work', receive: 'fault', send: 'malfunction', basis: 'near' },
  { code: '07', key: 'lowBattery', meaning: 'battery low', receive: 'lowBattery', send: 'lowBattery', basis: 'exact' },
  { code: '08', key: 'busy', meaning: 'busy', receive: 'busy', send: 'busy', basis: 'exact' },
  { code: '09', key: 'outOfService', meaning: 'out of service', receive: 'outOfService', send: 'outOfService', basis: 'exact' },
];
