/** States of the send list that are alarms: in tables without a word for them they go out as a plain alarm. */
const ALARM_STATES: readonly string[] = [
  'alarm',
  'alarmManual',
  'alert',
  'activated',
  'trespass',
  'unauthorizedAccess',
  'highLevel',
  'temperatureHigh',
  'temperatureLow',
  'temperatureRateOfRise',
  'inactive',
  'occupied',
  'open',
  'absent',
  'movement',
  'pillNotTaken',
];

/** Whether a state is an alarm; no state at all counts as one. An event that is no alarm is never sent as one. */
export const isAlarmState = (statusCode: string | null): boolean =>
  statusCode === null || ALARM_STATES.includes(statusCode);
