/** Outputs of command `output` (NN). 05, 12, 26-29 and 33-79 are reserved, 80-99 belong to a maker. */
export interface ControlRow {
  readonly code: string;
  readonly key: string;
  readonly meaning: string;
}

// biome-ignore format: one row a line reads as a table
export const CONTROLS: readonly ControlRow[] = [
  { code: '01', key: 'releaseDoor1', meaning: 'open door 1' },
  { code: '02', key: 'releaseDoor2', meaning: 'open door 2' },
  { code: '03', key: 'releaseKeySafe', meaning: 'open the key safe' },
  { code: '04', key: 'releaseAll', meaning: 'open everything' },
  { code: '06', key: 'relay1On', meaning: 'relay 1 on' },
  { code: '07', key: 'relay1Off', meaning: 'relay 1 off' },
  { code: '08', key: 'relay2On', meaning: 'relay 2 on' },
  { code: '09', key: 'relay2Off', meaning: 'relay 2 off' },
  { code: '10', key: 'switchToLocal', meaning: 'calls go to the local unit' },
  { code: '11', key: 'switchToArc', meaning: 'calls go to the receiving centre' },
  { code: '13', key: 'inactivityOn', meaning: 'activity supervision on' },
  { code: '14', key: 'inactivityOff', meaning: 'activity supervision off' },
  { code: '15', key: 'intruderOn', meaning: 'burglary supervision on' },
  { code: '16', key: 'intruderOff', meaning: 'burglary supervision off' },
  { code: '17', key: 'lowTemperatureOn', meaning: 'low temperature supervision on' },
  { code: '18', key: 'lowTemperatureOff', meaning: 'low temperature supervision off' },
  { code: '19', key: 'temperatureOn', meaning: 'temperature supervision on (sources also call it the fast setting)' },
  { code: '20', key: 'temperatureOff', meaning: 'temperature supervision off (sources also call it the slow setting)' },
  { code: '21', key: 'clockPlus1h', meaning: 'clock one hour forward' },
  { code: '22', key: 'clockMinus1h', meaning: 'clock one hour back' },
  { code: '23', key: 'resetMonitorStatus', meaning: 'clear the supervision state' },
  { code: '24', key: 'probeMonitorStatus', meaning: 'ask for the supervision state' },
  { code: '25', key: 'systemTestCall', meaning: 'make a test call' },
  { code: '30', key: 'suspendUnit', meaning: 'suspend the unit' },
  { code: '31', key: 'resumeUnit', meaning: 'resume the unit' },
  { code: '32', key: 'leaveProgramming', meaning: 'leave programming mode' },
];
